krait generate --workload=blindw-mixed --fault=lost-update --level=si --keys=50 --txns=300 --seed=3 - | krait check --level=si,pc - | grep -E "valid|anomaly"
