krait convert --to=jsonl mixed.kht -
