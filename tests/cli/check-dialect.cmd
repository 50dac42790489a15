# A lost update that MariaDB allows, and what it does not.
cat >lost.kht <<'END'
krait 1 init=0
s1 T1 { get x -> 0; put x 1 } commit
s2 T2 { get x -> 0; put x 2 } commit
s3 T3 { get x -> 2 } commit
END
cat >torn.kht <<'END'
krait 1 init=0
s1 T1 { put x 1; put y 1 } commit
s2 T2 { get x -> 0; put z 7; get y -> 1 } commit
END
cat >locked.kht <<'END'
krait 1 init=0
s1 T1 { get x -> 0 @update; put x 1 } commit
s2 T2 { get x -> 0 @update; put x 2 } commit
END
cat >backwards.kht <<'END'
krait 1 init=0
s1 T1 { get x -> 1 @update; get y -> 0 } commit
s2 T2 { put y 1 } commit
s3 T3 { get y -> 1; put x 1 } commit
END
krait check --level=si,ser --quiet lost.kht
krait check --level=si,ser --dialect=mariadb-rr lost.kht
krait check --level=ser --dialect=mariadb-rr torn.kht
krait check --level=ser --dialect=mariadb-rr locked.kht
krait check --level=ser --dialect=mariadb-rr backwards.kht
krait check --level=all --dialect=mariadb-rr lost.kht | tail -n 4
krait check --level=ser --dialect=mariadb-rr --json torn.kht | grep -o '"dialect":.*'
krait check --level=ser --json torn.kht | grep -o '"dialect":.*'
krait check --level=ser --dialect=mariadb-rr --output=edn torn.kht | grep -o ':dialect .*'
krait check --level=ser --dialect=mariadb-rr --own-writes=infer --output=junit lost.kht | grep -A1 system-out
krait check --level=ser --dialect=mariadb-rr --quiet lost.kht
