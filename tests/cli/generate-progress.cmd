krait generate --workload=blindw --level=ser --txns=20000 --progress run.krt 2>&1 | sed -E 's/ +[0-9.]+ s/ N s/' | grep generate
