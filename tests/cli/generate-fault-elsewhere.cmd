krait generate --workload=blindw-mixed --fault=lost-update --level=serializable out.jsonl
