echo precious >out
krait convert --to=jsonl valid.kht out
code=$?
cat out
exit $code
