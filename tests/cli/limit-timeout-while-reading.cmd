# The writer of the pipe never gets to the end; the reader cannot be asked.
mkfifo pipe
(cat valid.kht; sleep 20) >pipe &
begin=$(date +%s%N)
krait check --level=ser,sser --timeout=0.3 pipe
code=$?
elapsed=$((($(date +%s%N) - begin) / 1000000))
[ $elapsed -lt 1300 ] || echo "took $elapsed ms"
kill %1 2>/dev/null
exit $code
