mkdir empty
krait check --level=ser empty
