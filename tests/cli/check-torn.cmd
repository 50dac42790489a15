krait check --level=ser torn.jsonl
