krait --version | grep -q '^databases:.* sqlite' || { echo 'built without SQLite'; exit 77; }
# What is there stays until it is replaced, and a run that does not begin leaves nothing behind.
run="krait run --workload=bank --isolation=serializable --sessions=3 --quiet"
transactions() { krait stats --json "$1" | grep -o '"transactions":[0-9]*'; }
$run --db=sqlite:x.db --txns=50 out.trace
$run --db=sqlite:/no/such/folder/x --txns=60 --force out.trace; echo $?
transactions out.trace
$run --db=sqlite:x.db --txns=60 --force out; echo $?
transactions out.trace
$run --db=sqlite:x.db --txns=70 --force out.trace && transactions out.trace
$run --db=sqlite:/no/such/folder/x lost.jsonl; echo $?
$run --db=sqlite:x.db no/such/folder/out.jsonl; echo $?
$run --db=sqlite:x.db ''; echo $?
$run --db=sqlite:x.db --json out.jsonl; echo $?
$run --db=sqlite:x.db --txns=20 --check=ser --json out.jsonl | cut -d, -f1-4
# Too late to write it: the recording is still there.
mkdir gone && $run --db=sqlite:x.db --txns=20000 gone/out.jsonl 2>message &
until [ -s gone/out.jsonl.trace/3.ktr ]; do sleep 0.1; done
mkdir gone/out.jsonl
wait $!; echo $?
cat message
ls -d gone/*
