echo worthless >out
krait convert --to=jsonl --force valid.kht out && head -n 1 out
