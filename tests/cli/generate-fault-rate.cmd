krait generate --workload=blindw-mixed --fault=lost-update:2 --level=si out.jsonl
