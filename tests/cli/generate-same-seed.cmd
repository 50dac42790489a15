# The same seed, the same bytes; with another one they differ.
for to in jsonl kht krt dbcop plume; do
  krait generate --workload=blindw --level=ser --txns=2000 --seed=1 --quiet --to=$to first.$to
  krait generate --workload=blindw --level=ser --txns=2000 --seed=1 --quiet --to=$to second.$to
  krait generate --workload=blindw --level=ser --txns=2000 --seed=2 --quiet --to=$to third.$to
  cmp first.$to second.$to && ! cmp -s first.$to third.$to && echo "$to: as it should be"
done
krait generate --workload=blindw --level=ser --txns=2000 --seed=1 --quiet --to=cobra first
krait generate --workload=blindw --level=ser --txns=2000 --seed=1 --quiet --to=cobra second
diff -r first second && echo 'cobra: as it should be'
