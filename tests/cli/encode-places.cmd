# Where operations stand, for a level that asks: reads that are equal stay apart, a key written twice has two places, and what locks is marked.
cat >places.kht <<'END'
s1 T1 { get x -> nil; put x 8; get x -> 8; put y 1; put x 7 } commit
s2 T2 { get x -> nil @update } abort
s3 T3 { get x -> 7; get y; get x -> 7 @share; put y 2; get y -> 1 } commit
END
krait encode --level=cs --to=kir places.kht - | tee places.kir
krait check --quiet --level=cs places.kht places.kir
