krait generate --workload=blindw-mixed --fault=lost-updat --level=si out.jsonl
