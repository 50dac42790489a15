krait generate --workload=nothing-of-the-kind --level=ser run.jsonl
