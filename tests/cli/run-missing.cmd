krait run --workload=bank --isolation=serializable out.jsonl; echo $?
krait run --db=sqlite:x --isolation=serializable out.jsonl; echo $?
krait run --db=sqlite:x --workload=bank out.jsonl; echo $?
krait run --db=sqlite:x --workload=bank --isolation=serializable; echo $?
