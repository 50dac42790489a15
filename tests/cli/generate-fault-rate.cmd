for rate in 0 2 often '' 0.1x; do
  krait generate --workload=bank --level=si --fault=lost-update:$rate run.jsonl 2>&1
  echo $?
done
