# Lost updates beside transactions that wrote the same key without reading it, which are in no anomaly; and one whose value those read who lost an update.
{
  echo 's1 T1 { put x 0 } commit'
  echo 's2 T2 { get x -> 0; put x 1 } commit'
  echo 's3 T3 { get x -> 0; put x 2 } commit'
  echo 's4 T4 { put x 3 } commit'
  echo 's5 T5 { get x -> 3; put z 1 } commit'
  echo 's6 T6 { get y -> nil; put y 1 } commit'
  echo 's7 T7 { get y -> nil; put y 2 } commit'
  echo 's8 T8 { put y 3 } commit'
} >lost.kht
krait check --level=snapshot-isolation --anomalies=all lost.kht | sed '1,/^Strongest/d'
# More than a region holds: 200 of them, each with a blind writer between its two.
for i in $(seq 1 200); do
  echo "s1 T${i}1 { get k$i -> nil; put k$i 1 } commit"
  echo "s2 T${i}2 { put k$i 2 } commit"
  echo "s3 T${i}3 { get k$i -> nil; put k$i 3 } commit"
done >many.kht
krait check --level=snapshot-isolation --anomalies=all many.kht | sed '1,/^Strongest/d' | sed -n '1,3p;$p'
