# The same history in every way, as saturation leaves it and before. A formula that cannot be larger than memory goes into a compressed file as well.
for way in elimination closure unary binary; do
  krait encode --level=ser --to=dimacs --acyclicity=$way repeat.kht - | grep '^p'
  krait encode --level=ser --to=dimacs --acyclicity=$way --no-saturation repeat.kht $way.cnf.gz && zcat $way.cnf.gz | grep '^p'
done
