krait encode --level=ser valid.kht out
