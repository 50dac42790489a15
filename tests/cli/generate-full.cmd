krait generate --workload=blindw --level=ser --quiet - >/dev/full
