# All anomalies that share no transaction, as text and as data; by default, how many reads that nothing explains were met on the way.
{
  for i in 1 2 3; do
    echo "s1 T${i}1 { put a$i 1 } abort"
    echo "s2 T${i}2 { get a$i -> 1; put b$i 1 } commit"
    echo "s3 T${i}3 { get c$i -> nil; put d$i 1 } commit"
    echo "s4 T${i}4 { get d$i -> nil; put c$i 1 } commit"
  done
  echo 's5 T51 { get e -> 7 } commit'
} >many.kht
krait check --level=serializable many.kht | tail -n 1
krait check --level=serializable --anomalies=all many.kht | sed '1,/^Strongest/d'
krait check --level=serializable --anomalies=all --json many.kht | grep -o '"anomalies":.*'
krait check --level=serializable --anomalies=all --output=edn many.kht | grep -o ':anomaliesComplete.*'
krait check --level=serializable --anomalies=all --output=junit many.kht | grep -c '^  G2-item (write-skew): T'
krait check --level=serializable --anomalies=all many.kht >/dev/null
echo "code $?"
krait check --level=all --anomalies=all many.kht
