krait check --help | sed -n '/^Dialects/,/^$/p'
krait encode --help | sed -n '/^Dialects/,/^$/p'
krait check -h | grep -c dialect
true
