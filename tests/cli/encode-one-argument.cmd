krait encode --level=ser --to=kir valid.kht
