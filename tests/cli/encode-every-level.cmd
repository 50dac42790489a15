# At every level the verdict on the .kir file is that on the history. One start for all six: the
# program checks each in a process of its own.
for level in $(krait levels --json | sed 's|^{"level":"\([^"]*\)".*|\1|'); do
  for history in valid lost-update stale; do
    krait encode --level=$level --to=kir $history.kht $history.kir --force
  done
  krait check --level=$level --quiet {valid,lost-update,stale}.{kht,kir} >verdicts
  awk -F '\t' '{ verdict[NR] = $1; name[NR] = $3 }
    NR % 2 == 0 && verdict[NR] != verdict[NR - 1] { print $2, name[NR - 1] ": " verdict[NR - 1] ", but the file " verdict[NR] }
    END { if (NR != 6) print NR " verdicts" }' verdicts
done
