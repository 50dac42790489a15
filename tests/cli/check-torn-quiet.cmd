krait check --level=ser --quiet torn.jsonl
