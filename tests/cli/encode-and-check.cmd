# The verdict on the .kir file is that on the history.
for level in serializable strong-session-serializable strict-serializable; do
  for history in valid lost-update stale; do
    krait encode --level=$level --to=kir $history.kht $history.kir --force
    krait check --level=$level --quiet $history.kht $history.kir
  done
done
