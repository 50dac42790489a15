krait generate --workload=randombench --level=si --fault=phantom run.jsonl
