krait encode --level=ser --to=dimacs --acyclicity=elimination repeat.kht f.cnf
try() {
  printf "$1" >model
  krait decode repeat.kht f.cnf model
  echo "exit $?"
}
try 's SATISFIABLE\nv -1 -2 3 0\n'
try 's SATISFIABLE\nv 1 2 3 0\n'
try 's SATISFIABLE\nv 0\n'
