# 50,000 writers of one key in as many sessions, and no reads: nothing that takes memory for every two of them fits in.
blind() { awk -v status="$1" 'BEGIN { for (i = 1; i <= 50000; i++) printf "s%d T%d { put x %d } %s\n", i, i, i, i == 25000 ? status : "commit" }'; }
for status in commit abort unknown; do
  blind $status >$status.kht
  for level in strong-session-serializable snapshot-isolation causal; do
    krait check --quiet --memory=100M --timeout=60 --level=$level $status.kht 2>/dev/null
  done
done
