krait convert --to=jsonll valid.kht out
