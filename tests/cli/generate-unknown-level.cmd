krait generate --workload=blindw --level=read-atomic run.jsonl
