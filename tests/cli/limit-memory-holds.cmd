# At most 5% over, also while a large history is being read. The size is sampled, by a thread that a busy machine may keep waiting: three tries.
bash make-big 1000000 >big.jsonl
limit=$((60 << 20))
for try in 1 2 3; do
  krait check --level=ser --memory=$limit --json big.jsonl >verdict
  code=$?
  peak=$(sed 's/.*"peakRssBytes":\([0-9]*\).*/\1/' verdict)
  [ "$peak" -gt $((limit + limit / 20)) ] || break
done
grep -o '"verdict":"[a-z]*"' verdict
grep -o '"reason":"[a-z ]*"' verdict
[ "$peak" -le $((limit + limit / 20)) ] || echo "peak of $peak bytes, limit $limit"
exit $code
