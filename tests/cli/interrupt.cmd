mkfifo pipe
sleep 20 >pipe &
krait check --level=ser pipe &
sleep 0.5
kill -INT $!
wait $!
code=$?
kill %1 2>/dev/null
exit $code
