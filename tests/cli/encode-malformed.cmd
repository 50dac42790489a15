krait encode --level=ser --to=kir bad.kht out
