# Solvers of the competitions, MiniSat, and one that says only what matters.
krait encode --level=ser --to=dimacs --acyclicity=elimination repeat.kht f.cnf
printf 'c a comment\ns SATISFIABLE\nv 1 -2\nv -3 0\n' >model
krait decode repeat.kht f.cnf model
printf 'SAT\n1 -2 -3 0\n' | krait decode --quiet repeat.kht f.cnf -
printf 's SATISFIABLE\r\nv -3 -2\r\nv 1\r\nv 0\r\n' >model
krait decode repeat.kht f.cnf model
printf 'v -1 2 3 0\ns SATISFIABLE\n' >model
krait decode --json repeat.kht f.cnf model | grep -o '"verdict":"[a-z]*"\|"level":"[a-z-]*"'
