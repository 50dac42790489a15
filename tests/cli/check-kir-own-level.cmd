krait encode --level=sser --to=kir stale.kht stale.kir
krait check --quiet stale.kir
