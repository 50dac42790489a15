krait convert --to=kht torn.jsonl -
