# The counts of the summary are those of the file.
krait generate --workload=blindw --level=serializable --txns=2000 --abort-rate=0.25 --unknown-rate=0.25 run.jsonl 2>said
sed -E 's/ operations.*//' said
krait stats run.jsonl | grep ^transactions
