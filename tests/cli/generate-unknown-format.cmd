krait generate --workload=blindw --level=ser --to=json run.json
