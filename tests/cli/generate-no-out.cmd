krait generate --workload=blindw --level=ser
