# While the folder is being written: none is left.
krait generate --workload=blindw --level=ser --txns=300000 --quiet --to=cobra run &
for i in {1..600}; do
  ls -d run.*.tmp 2>/dev/null | grep -q . && break
  sleep 0.05
done
kill -INT $!
wait $!
code=$?
ls | grep run
exit $code
