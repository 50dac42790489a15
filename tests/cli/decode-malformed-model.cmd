# Whatever is wrong with a model, one line says what and where.
krait encode --level=ser --to=dimacs --acyclicity=elimination repeat.kht f.cnf
try() {
  printf "$1" >model
  krait decode repeat.kht f.cnf model
  [ $? -eq 2 ] || echo "not refused: $1"
}
try ''
try '\n\n'
try 's SATISFIABLE\nv 1 -2 -3\n'
try 's SATISFIABLE\nv 1 -2 -3 0 1\n'
try 's SATISFIABLE\nv 1 0\nv 0\n'
try 's SATISFIABLE\nv 1 -1 0\n'
try 's SATISFIABLE\nv 1 4 0\n'
try 's SATISFIABLE\nv 1 99999999999999999999999 0\n'
try 's SATISFIABLE\nv 1 x 0\n'
try 's SATISFIABLE\nv 1 - 0\n'
try 's SATISFIABLE\ns SATISFIABLE\nv 1 0\n'
try 's SATISFIABLE now\nv 1 0\n'
try 's PERHAPS\n'
try 'SAT\n'
try '1 -2 0\n'
try '\001\002\003'
try 'v 1 0\n'
