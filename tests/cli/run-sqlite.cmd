krait --version | grep -q '^databases:.* sqlite' || { echo 'built without SQLite'; exit 77; }
# Every workload runs, and what comes out is serializable; the folder of the trace is gone.
for workload in $(krait generate --help | sed -n '/^Workloads/,/^$/s/^  \([a-z-]*\)$/\1/p'); do
  krait run --db=sqlite:x.db --workload=$workload --isolation=serializable --txns=300 --sessions=4 --quiet --check=ser --force out.jsonl
  krait stats --json out.jsonl | grep -o '"transactions":[0-9]*'
done
ls -d out*
