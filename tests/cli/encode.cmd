krait encode --level=ser --to=kir untimed.kht -
