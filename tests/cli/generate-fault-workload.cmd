krait generate --workload=blindw --level=serializable --fault=phantom run.jsonl
