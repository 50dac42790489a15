krait encode --level=ser --to=kir valid.kht valid.kir
krait check --quiet valid.kir valid.kht
