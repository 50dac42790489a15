krait convert --to=kht -h | head -n 1
