mkfifo pipe
sleep 20 >pipe &
krait check --level=ser --timeout=0.1 --json pipe | sed -E 's/"seconds.*"warnings"/"warnings"/'
code=${PIPESTATUS[0]}
kill %1 2>/dev/null
exit $code
