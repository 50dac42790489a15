krait encode --level=ser --to=kir stale.kht stale.kir
krait check --init=any stale.kir
