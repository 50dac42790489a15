krait encode --level=ser --to=kht valid.kht out
