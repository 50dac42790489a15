krait generate --workload=blindw --fault=phantom --level=serializable out.jsonl
