krait convert --to=jsonl lost-update.kht h.jsonl.gz && krait convert --to=kht valid.kht h.zst
krait check --level=ser --quiet h.jsonl.gz h.zst
krait check --level=ser --quiet - <h.zst
