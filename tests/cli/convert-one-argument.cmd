krait convert --to=kht valid.kht
