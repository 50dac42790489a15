# What this version cannot do it does not accept.
for command in split solve join; do
  krait $command valid.kht 2>&1 | sed 's/;.*//'
done
