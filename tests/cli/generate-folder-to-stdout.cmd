krait generate --workload=blindw --level=ser --to=cobra -
