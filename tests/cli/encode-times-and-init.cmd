printf 's1 T1 [0 10] { put x 1 } commit\ns2 T2 [20 30] { get x -> 5 } commit\n' >gap.kht
for skew in 0 10; do
  krait encode --level=sser --to=kir --init=5 --clock-skew=$skew gap.kht gap$skew.kir.gz
  krait check --quiet gap$skew.kir.gz
done
