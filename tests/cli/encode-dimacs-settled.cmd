# Saturation knows: a formula that has no model, or one that any assignment is a model of.
for history in lost-update stale blind; do
  krait encode --level=ser --to=dimacs $history.kht - | grep -v '^c history'
done
