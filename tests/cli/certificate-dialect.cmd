cat >backwards.kht <<'END'
krait 1 init=0
s1 T1 { get x -> 1 @update; get y -> 0 } commit
s2 T2 { put y 1 } commit
s3 T3 { get y -> 1; put x 1 } commit
END
krait check --quiet --level=ser --dialect=mariadb-rr --certificate=i.crt backwards.kht; krait verify --dump backwards.kht i.crt; krait verify --json backwards.kht i.crt
krait generate --workload=bank --level=mariadb-rr --txns=1000 --keys=20 --unknown-rate=0.05 --abort-rate=0.05 --quiet run.krt
krait check --quiet --level=sser --dialect=mariadb-rr --certificate=v.crt run.krt; krait verify run.krt v.crt
krait generate --workload=blindw-repeated --level=mariadb-rr --fault=repeated-value-update:1 --txns=1000 --keys=20 --quiet bad.krt
krait check --quiet --level=ser --dialect=mariadb-rr --certificate=b.crt bad.krt; krait verify bad.krt b.crt; krait verify backwards.kht b.crt
