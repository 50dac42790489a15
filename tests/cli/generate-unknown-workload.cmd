krait generate --workload=blndw --level=ser run.jsonl
