krait generate --workload=blindw --level=ser --txns=6 --sessions=3 --keys=20 --operations=2 --no-times --group-by-session --quiet --to=kht -
