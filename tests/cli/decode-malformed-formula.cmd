# Whatever is wrong with a formula, one line says what and, if it is a place, where.
krait encode --level=ser --to=dimacs --acyclicity=elimination repeat.kht good.cnf
printf 's SATISFIABLE\nv 1 -2 -3 0\n' >model
try() {
  krait decode repeat.kht bad.cnf model
  [ $? -eq 2 ] || echo "not refused"
}
change() {
  sed "$1" good.cnf >bad.cnf
  cmp -s good.cnf bad.cnf && echo "nothing changed: $1"
  try
}
: >bad.cnf; try
head -c 300 /dev/zero >bad.cnf; try
grep '^c' good.cnf >bad.cnf; try
grep -v '^c options' good.cnf >bad.cnf; try
change 's/^p cnf 3/p cnf 4/'
change 's/^p cnf 3 3/p cnf 3 4/'
change 's/^p cnf 3/p cnf 4294967296/'
change 's/^p cnf/p sat/'
change 's/^p cnf.*/& 7/'
change 's/^-2 3 0/-2 4 0/'
change 's/^-2 3 0/-2 3 x 0/'
change 's/^-2 3 0/-2 1 0/'
change '/^-2 3 0/d'
change '$s/ 0$//'
change '$s/$/ 1 0/'
change 's/^c options.*/&\n&/'
change 's/elimination/closure/'
change 's/--acyclicity=elimination/--module=evil.so/'
change 's/--acyclicity=elimination/--init=7/'
change 's/--acyclicity=elimination/--acyclicity=x/'
change 's/--level=serializable/--level=all/'
change 's/--level=serializable/--level=s/'
change 's/--to=dimacs/--to=kir/'
change 's/^c options.*/c options: /'
