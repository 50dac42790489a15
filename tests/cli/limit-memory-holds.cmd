# At most 5% over, also while a large history is being read.
bash make-big 1000000 >big.jsonl
limit=$((60 << 20))
krait check --level=ser --memory=$limit --json big.jsonl >verdict
code=$?
grep -o '"verdict":"[a-z]*"' verdict
grep -o '"reason":"[a-z ]*"' verdict
peak=$(sed 's/.*"peakRssBytes":\([0-9]*\).*/\1/' verdict)
[ "$peak" -le $((limit + limit / 20)) ] || echo "peak of $peak bytes, limit $limit"
exit $code
