# Every level of the store, checked at the level that the help promises; mariadb-rr has none of its own.
krait generate --help | sed -n '/^Levels of the store/,/^$/s/^  \([a-z-]*\) .*/\1/p' >levels
for level in $(cat levels); do
  promised=$(krait generate --help | sed -n "/^Levels of the store/,/^$/s/^  $level  *\([a-z-]*\)$/\1/p")
  [ -n "$promised" ] || continue
  krait generate --workload=blindw-mixed --level=$level --txns=1000 --keys=50 --quiet run.krt --force || exit
  krait check --level=$promised --quiet run.krt
done
