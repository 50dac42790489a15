# Few keys with a fault, as many as the workload is known for without one, and those that were asked for in any case.
for options in '' --fault=lost-update '--fault=lost-update --keys=7'; do
  krait generate --workload=bank --level=si --txns=3000 $options --quiet run.krt --force
  krait stats --json run.krt | grep -o '"keys":[0-9]*'
done
krait generate --workload=bank --level=si --fault=lost-update --txns=100 run.krt --force 2>&1 | grep -o '(--keys=.*'
krait generate --workload=randombench --level=mariadb-rr --fault=repeated-value-update --txns=100 run.krt --force 2>&1 | grep -o '(--keys=.*'
