# What the formula says in words, and how it came about. The digest depends on the machine.
krait encode --level=ser --to=dimacs --acyclicity=elimination repeat.kht - | sed 's/^c history: [0-9a-f]\{16\}/c history: D/'
