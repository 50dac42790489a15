# One line each, and nothing is written.
try() {
  krait encode "$@" repeat.kht out
  echo "exit $?"
}
try --level=ser --to=kir --acyclicity=unary
try --level=ser --to=kir --encoding=krait
try --level=ser --to=dimacs --saturated
try --level=ser --to=gnf --acyclicity=unary
try --level=ser --to=dimacs --acyclicity=unry
try --level=ser --to=dimacs --encoding=krat
try --level=ser --to=cnf
try --level=ser --to=dimacs --format=jsonl
ls out 2>/dev/null
