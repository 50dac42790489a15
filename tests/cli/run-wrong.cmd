krait --version | grep -q '^databases:.* sqlite' || { echo 'built without SQLite'; exit 77; }
krait run --db=oracle:x --workload=bank --isolation=serializable out.jsonl 2>&1 | sed 's/for .*/for .../'
krait run --db=sqlite:x --workload=bonk --isolation=serializable out.jsonl; echo $?
krait run --db=sqlite:x --workload=bank --isolation=snapshot out.jsonl; echo $?
krait run --db='sqlite:x?journal=none' --workload=bank --isolation=serializable out.jsonl; echo $?
krait run --db=sqlite: --workload=bank --isolation=serializable out.jsonl; echo $?
krait run --db=sqlite:x --workload=bank --isolation=serializable --check=nothing out.jsonl; echo $?
krait run --db=sqlite:x --workload=bank --isolation=serializable --check=ser -; echo $?
krait run --db=sqlite:/no/such/folder/x --workload=bank --isolation=serializable out.jsonl; echo $?
echo here >there.jsonl
krait run --db=sqlite:x --workload=bank --isolation=serializable there.jsonl; echo $?
[ ! -e out.jsonl ] && cat there.jsonl
