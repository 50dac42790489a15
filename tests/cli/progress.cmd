krait check --level=ser --progress valid.kht 2>phases
sed -E 's/ +[0-9.]+ s/ N s/' phases | head -n 1
[ "$(wc -l <phases)" -gt 1 ] && grep -vcE '^krait: +[0-9]+\.[0-9]{3} s  [a-z]+(  3 transactions)?$' phases
exit 0
