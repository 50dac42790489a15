krait encode --level=sser --to=kir stale.kht stale.kir
krait check --level=ser stale.kir
krait check --level=all stale.kir
