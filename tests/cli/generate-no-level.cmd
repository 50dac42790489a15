krait generate --workload=blindw run.jsonl
