krait convert --to=kht valid.kht a b
