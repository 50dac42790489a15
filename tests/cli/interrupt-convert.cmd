mkfifo pipe
(cat valid.kht; sleep 20) >pipe &
krait convert --to=jsonl pipe out.jsonl &
sleep 0.5
kill -INT $!
wait $!
code=$?
kill %1 2>/dev/null
ls | grep out
exit $code
