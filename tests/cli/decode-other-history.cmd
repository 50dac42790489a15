# A formula of another history, or of the same with another initial state, is found out; the digest in the comments says which it is of.
krait encode --level=ser --to=dimacs --acyclicity=elimination --init=1 repeat.kht f.cnf
printf 's SATISFIABLE\nv 1 -2 3 -4 -5 6 7 -8 -9 -10 11 -12 -13 -14 15 -16 -17 18 0\n' >model
krait decode blind.kht f.cnf model
echo "exit $?"
krait decode repeat.kht f.cnf model
echo "exit $?"
krait decode --init=1 repeat.kht f.cnf model
echo "exit $?"
krait decode repeat.kht nowhere.cnf model
echo "exit $?"
krait decode --init=1 repeat.kht f.cnf nowhere
echo "exit $?"
krait decode repeat.kht f.cnf
echo "exit $?"
