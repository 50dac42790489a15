krait --version | grep -q '^databases:.* sqlite' || { echo 'built without SQLite'; exit 77; }
# A clean stop: the history is there, and valid; the transactions that were interrupted were rolled back.
krait run --db=sqlite:x.db --workload=blindw-mixed --isolation=serializable --txns=100000000 --sessions=4 --quiet out.jsonl &
until [ -s out.jsonl.trace/4.ktr ]; do sleep 0.1; done
sleep 0.5
kill -INT $!
wait $!; echo $?
ls -d out*
krait check --level=ser --quiet out.jsonl
