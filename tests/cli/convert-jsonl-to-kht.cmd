krait convert --to=kht names.jsonl -
