mkfifo pipe
sleep 20 >pipe &
krait check --level=ser --timeout=2 --quiet valid.kht pipe lost-update.kht
code=$?
kill %1 2>/dev/null
exit $code
