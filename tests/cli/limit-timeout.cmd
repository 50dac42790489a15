bash make-big 50000 >big.jsonl
krait check --level=ser --timeout=0.001 big.jsonl
