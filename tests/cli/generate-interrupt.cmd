krait generate --workload=blindw --level=ser --txns=100000000 --sessions=100 run.krt &
sleep 0.5
kill -INT $!
wait $!
code=$?
ls | grep run
exit $code
