krait generate --level=ser run.jsonl
