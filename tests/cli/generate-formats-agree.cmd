# Whatever the format and the order of the file: the same transactions.
history="krait generate --workload=blindw --level=ser --txns=300 --sessions=5 --keys=40 --quiet"
$history run.jsonl
$history run.krt
$history --group-by-session grouped.jsonl
for file in run.jsonl run.krt grouped.jsonl; do
  krait convert --to=kht $file - | sed 's/ T[0-9]*//' | sort >$file.lines
done
cmp run.jsonl.lines run.krt.lines && cmp run.jsonl.lines grouped.jsonl.lines && wc -l <run.jsonl.lines
cmp -s run.jsonl grouped.jsonl || echo 'another order'
