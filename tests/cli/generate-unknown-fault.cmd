krait generate --workload=blindw --level=ser --fault=bad-luck run.jsonl
