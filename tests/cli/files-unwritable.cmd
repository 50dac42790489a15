# What cannot be written is found out before the work: nothing is read, and no verdict given.
for command in "explain --level=ser --dot=no/a missing" "explain --level=ser --core=no/a.kht missing" "check --level=ser --certificate=no/a missing" \
  "convert --to=kht missing no/a" "convert --to=cobra missing no/a" "encode --level=ser --to=kir missing no/a" \
  "generate --workload=blindw --level=serializable no/a"; do
  krait $command
  echo "code $?"
done
: >there
krait convert --to=kht missing there
echo "code $?"
krait explain --level=ser --svg=/dev/full lost-update.kht | head -n 1
ls | grep -c tmp
