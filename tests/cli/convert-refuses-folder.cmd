mkdir out && touch out/T1.log
krait convert --to=cobra integers.kht out
