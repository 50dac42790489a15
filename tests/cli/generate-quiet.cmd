krait generate --workload=blindw --level=ser --txns=100 --quiet run.jsonl && wc -l <run.jsonl
