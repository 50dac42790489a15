# While the folder is being written: none is left. Whoever watches it must be faster than who writes.
nice -n 19 krait generate --workload=blindw --level=ser --txns=300000 --quiet --to=cobra run &
for i in {1..3000}; do
  compgen -G 'run.*.tmp' >/dev/null && break
  sleep 0.01
done
kill -INT $!
wait $!
code=$?
ls | grep run
exit $code
