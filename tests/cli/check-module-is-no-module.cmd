krait check --level=ser --module=./valid.kht valid.kht 2>err
code=$?
cut -d: -f1-3 err
exit $code
