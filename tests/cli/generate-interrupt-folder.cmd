# While the folder is being written: none is left. One that was written faster than it was noticed says nothing, and a larger one is tried.
for txns in 300000 600000 1200000 2400000; do
  krait generate --workload=blindw --level=ser --txns=$txns --quiet --force --to=cobra run &
  while kill -0 $! 2>/dev/null && ! compgen -G 'run.*.tmp' >/dev/null; do :; done
  kill -INT $! 2>/dev/null
  wait $!
  code=$?
  [ $code -eq 0 ] || break
  rm -rf run
done
ls | grep run
exit $code
