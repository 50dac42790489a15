krait convert --to=jsonl bad.kht out
code=$?
ls out 2>/dev/null
exit $code
