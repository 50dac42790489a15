echo precious >out
krait encode --level=ser --to=kir valid.kht out
code=$?
cat out
exit $code
