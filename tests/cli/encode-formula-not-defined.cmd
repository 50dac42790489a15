# There is no formula where there is no verdict.
krait encode --level=sser --to=dimacs untimed.kht out
echo "exit $?"
krait encode --level=ser --to=dimacs torn-unexplained.jsonl out
echo "exit $?"
ls out 2>/dev/null
