krait convert --to=jsonl --format=kht - - <valid.kht
