# One transaction at a time: none begins before the one before it has ended, none is refused, and every session has the same chance: of 10,000 about 8,650
# get one of 20,000 turns. As many at a time as there are sessions: the file of before.
history="krait generate --workload=blindw-mixed --level=snapshot-isolation --keys=5 --seed=1 --quiet"
$history --txns=20000 --sessions=10000 --operations=2 --concurrency=1 --to=kht - >one.kht
sed -n 's/^s.*\[\([0-9]*\) \([0-9]*\)\].*/\1 \2/p' one.kht | awk '$1 <= end { overlaps++ } { end = $2 } END { print NR " transactions, " overlaps + 0 " overlap" }'
grep -c 'commit$' one.kht
sed -n 's/^\(s[0-9]*\) .*/\1/p' one.kht | sort -u | awk 'END { print (NR > 8550 && NR < 8750) ? "about 8650 sessions" : NR }'
$history --txns=20000 --sessions=10000 --operations=2 --concurrency=1 --to=kht - | cmp - one.kht && echo 'the same again'
for sessions in 24 25 1000; do
  $history --txns=500 --concurrency=$sessions - | cksum
done
$history --txns=500 - | cksum
