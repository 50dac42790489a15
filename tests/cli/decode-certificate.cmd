krait encode --level=ser --to=dimacs --acyclicity=elimination repeat.kht f.cnf
printf 's SATISFIABLE\nv 1 -2 -3 0\n' >model
krait decode --certificate=out.cert repeat.kht f.cnf model
krait verify repeat.kht out.cert
krait decode --certificate=out.cert repeat.kht f.cnf model
