for option in --txns=0 --txns=many --sessions=0 --sessions=100001 --keys=0 --operations=0 --reads=1.1 --reads=-0.1 --repetition=2 --values=0 --concurrency=0 --concurrency=100001 --abort-rate=50% \
  --unknown-rate=nan --distribution=normal --seed=-1; do
  krait generate --workload=blindw --level=ser $option run.jsonl 2>&1
  [ $? -eq 2 ] || echo "exit code of $option"
done
ls | grep run
exit 2
