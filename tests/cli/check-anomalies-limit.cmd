# What was found before a limit is reached is listed. There are so many that no machine finds them all in the first of these times which is enough to begin.
krait generate --quiet --workload=twitter --level=snapshot-isolation --fault=lost-update --txns=30000 --seed=1 lost.jsonl
for seconds in 1 2 4 8 16 32 64 128; do
  krait check --level=snapshot-isolation --anomalies=all --timeout=$seconds lost.jsonl >said 2>warned
  code=$?
  ! grep -qE '^Anomalies that share no transaction, ([2-9]|[1-9][0-9]+):' said || break
done
echo "code $code"
head -n 1 said
cat warned
listed=$(sed -n 's/^Anomalies that share no transaction, \([0-9]*\):.*/\1/p' said)
[ "$(grep -c '^  G.*: T[0-9]* T[0-9]' said)" -eq "$listed" ] && echo 'as many as it says are there'
tail -n 1 said
