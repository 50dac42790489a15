krait convert --to=jsonl valid.kht nowhere/out
