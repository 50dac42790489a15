krait convert --to=jsonl lost-update.kht h.jsonl.gz
head -c 60 h.jsonl.gz >cut.gz
krait check --level=ser --quiet cut.gz
