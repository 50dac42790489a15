krait encode --level=serr --to=kir valid.kht out
