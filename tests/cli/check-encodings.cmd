# Every encoding gives the same verdict, by search alone, at the levels that it is for.
cat >open.kht <<'END'
krait 1 keys=bytes init=absent
s1 T1 { put x 1; put y 1 } commit
s2 T2 { put x 2; put y 2 } commit
s3 T3 { get x -> 1; put z 1 } commit
s4 T4 { get y -> 2; get z -> nil } commit
s5 T5 { get x -> 2; put z 3 } commit
END
{
  cat open.kht
  echo 's6 T6 { get x -> 1; get y -> 2 } commit'
} >closed.kht
for level in serializable snapshot-isolation; do
  for encoding in krait cobra polysi viper boomslang; do
    krait check --level=$level --quiet --no-stronger-first --no-guess --no-run-search --no-saturation --encoding=$encoding open.kht closed.kht
  done
done | sort | uniq -c | sed 's/^ *//'
# The explanation is the same one, whoever refuted it.
for encoding in krait cobra boomslang; do
  krait check --level=serializable --no-stronger-first --no-guess --no-run-search --no-saturation --encoding=$encoding closed.kht
done | sort | uniq -c | sed 's/^ *//'
krait check --level=causal --no-stronger-first --no-guess --no-run-search --no-saturation --encoding=viper open.kht
