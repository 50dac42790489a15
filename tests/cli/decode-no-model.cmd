# A refutation is not believed, and no answer is none.
krait encode --level=ser --to=dimacs --acyclicity=elimination repeat.kht f.cnf
for answer in 's UNSATISFIABLE' UNSAT 's UNKNOWN' INDET; do
  echo "$answer" >model
  krait decode repeat.kht f.cnf model
  echo "exit $?"
done
