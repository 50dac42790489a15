# As saturation leaves it, and written out; the first is judged and certified the same.
krait encode --level=ser --to=kir --saturated lost-update.kht saturated.kir
grep ^edge saturated.kir
krait check --quiet saturated.kir
krait check --quiet --certificate=out.cert saturated.kir; krait verify --dump saturated.kir out.cert
krait encode --level=ser --to=kir --expand lost-update.kht expanded.kir
cat expanded.kir
krait check --level=ser expanded.kir
