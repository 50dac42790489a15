# Only the parent gets the signal; nothing is left running.
mkfifo pipe
sleep 20 >pipe &
krait check --level=ser --quiet valid.kht pipe valid.kht &
sleep 0.5
kill -INT $!
wait $!
code=$?
kill %1 2>/dev/null
exit $code
