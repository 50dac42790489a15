printf 'krait 1 keys=int init=0\ns1 T1 { put 900 77; put -5 77; get 20 -> 0 } commit\n' >in.kht
krait convert --to=kht --anonymise in.kht -
