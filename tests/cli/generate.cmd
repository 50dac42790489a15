krait generate --workload=blindw-mixed --level=serializable --txns=6 --sessions=3 --keys=4 --operations=2 --seed=5 --to=kht -
