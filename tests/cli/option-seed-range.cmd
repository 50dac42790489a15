krait check --level=ser --seed=18446744073709551615 --quiet valid.kht
krait check --level=ser --seed=18446744073709551616 --quiet valid.kht
