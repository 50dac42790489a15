# Refused at once, not after the work.
echo mine >run.jsonl
krait generate --workload=blindw --level=ser --txns=100000000 run.jsonl
code=$?
cat run.jsonl
krait generate --workload=blindw --level=ser --txns=10 --quiet --force run.jsonl && wc -l <run.jsonl
exit $code
