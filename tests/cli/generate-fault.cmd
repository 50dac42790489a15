# A fault breaks one level and keeps another; the summary says how often it struck.
krait generate --workload=bank --level=si --fault=lost-update --txns=2000 run.jsonl 2>said
grep -c '^the fault lost-update struck [1-9][0-9]* times (--keys=32)$' said
krait check --quiet --level=cs,strict-prefix-consistency run.jsonl
