# At every level the verdict on the .kir file is that on the history.
for level in $(krait levels | awk 'NR > 1 { print $1 }'); do
  for history in valid lost-update stale; do
    krait encode --level=$level --to=kir $history.kht $history.kir --force
    of_history=$(krait check --level=$level --quiet $history.kht | cut -f1)
    of_file=$(krait check --level=$level --quiet $history.kir | cut -f1)
    [ "$of_history" = "$of_file" ] || echo "$level $history: $of_history, but the file $of_file"
  done
done
