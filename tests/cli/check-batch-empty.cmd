mkdir runs
krait check --level=ser --batch=runs
