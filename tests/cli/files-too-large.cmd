# The limit on the size of files is an error like others, and leaves nothing behind.
krait generate --quiet --workload=blindw --txns=3000 --level=serializable --seed=1 h.jsonl
for to in out.jsonl out.krt out.jsonl.gz out.jsonl.zst; do
  (ulimit -f 16 && krait convert --to=$([ $to = out.krt ] && echo krt || echo jsonl) h.jsonl $to)
  echo "code $?"
done
(ulimit -f 16 && krait convert --to=cobra h.jsonl out 2>&1) | sed 's/out.*log/LOG/'
ls | grep -c out
