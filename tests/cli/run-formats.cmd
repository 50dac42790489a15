krait --version | grep -q '^databases:.* sqlite' || { echo 'built without SQLite'; exit 77; }
# The format by the name, or by --to; a trace is kept as a trace, and --force replaces it.
krait run --db=sqlite:x.db --workload=bank --isolation=serializable --txns=50 --sessions=3 --quiet out.krt && head -c 4 out.krt | od -c | head -n 1
krait run --db=sqlite:x.db --workload=bank --isolation=serializable --txns=50 --sessions=3 --quiet out.trace && ls out.trace
krait run --db=sqlite:x.db --workload=bank --isolation=serializable --txns=50 --sessions=3 --quiet out.trace; echo $?
krait run --db=sqlite:x.db --workload=bank --isolation=serializable --txns=70 --sessions=2 --quiet --force --check=sser out.trace && ls out.trace
krait run --db=sqlite:x.db --workload=bank --isolation=serializable --txns=50 --sessions=3 --quiet - | krait check --level=ser -
ls -d out*
