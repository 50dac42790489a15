krait encode --to=kir valid.kht out
