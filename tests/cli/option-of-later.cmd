# What this version cannot do it does not accept.
for option in --certificate=c; do
  krait check --level=ser $option valid.kht 2>&1 | sed 's/;.*//'
done
