krait convert --to=jsonl --anonymise names.jsonl -
