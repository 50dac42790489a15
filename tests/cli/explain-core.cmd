# The smallest part is a history of its own, and is invalid alone.
{
  for i in $(seq 2 40); do echo "s$((i % 3 + 3)) T$((i + 10)) { get k$((i - 1)) -> $([ $i = 2 ] && echo nil || echo $i); put k$i $((i + 1)); put x$i $i } commit"; done
  echo 's1 T1 { get a -> nil; put b 1 } commit'
  echo 's2 T2 { get b -> nil; put a 1 } commit'
} >large.kht
krait explain --level=serializable --core=part.kht --quiet large.kht
echo "code $?"
cat part.kht
krait check --level=serializable --quiet part.kht
echo "code $?"
krait explain --level=serializable --core=part.kht large.kht
echo "code $?"
