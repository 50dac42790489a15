# The program order of parts goes into the file, where it is known; the dialect is worked in.
cat >backwards.kht <<'END'
krait 1 init=0
s1 T1 { get x -> 1 @update; get y -> 0 } commit
s2 T2 { put y 1 } commit
s3 T3 { get y -> 1; put x 1 } commit
END
krait encode --level=ser --dialect=mariadb-rr --to=kir backwards.kht out.kir
grep '^edge' out.kir
krait check --quiet out.kir
krait encode --level=ser --to=kir backwards.kht plain.kir
grep '^edge' plain.kir
krait check --dialect=mariadb-rr out.kir
