krait check --level=ser txn-and-dump.json
