# The graphs behind the clauses are not read; what a model says of them is found out.
krait encode --level=ser --to=gnf repeat.kht f.gnf
try() {
  printf 's SATISFIABLE\nv %s 0\n' "$1" >model
  krait decode repeat.kht f.gnf model
  echo "exit $?"
}
try '1 -2 3 4 -5 6'
try '-1 2 3 -4 5 6'
try '1 2 3 4 5 6'
try '1 -2 3 -4 -5 6'
