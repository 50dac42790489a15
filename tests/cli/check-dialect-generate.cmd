# The store's own mode, and the bug that belongs to it.
krait generate --workload=bank --level=mariadb-rr --txns=1000 --keys=20 --unknown-rate=0.05 --abort-rate=0.05 --quiet run.krt
krait check --quiet --level=si run.krt
krait check --quiet --level=si,ser,sser --dialect=mariadb-rr run.krt
krait generate --workload=blindw-repeated --level=mariadb-rr --fault=repeated-value-update:1 --txns=1000 --keys=20 --quiet bad.krt
krait check --level=ser --dialect=mariadb-rr bad.krt | sed 's/T[0-9]*/T/g;s/[0-9][0-9]*/N/g' | head -n 4
