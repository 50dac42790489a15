mkdir runs && cp valid.kht runs
krait check --level=ser --quiet --batch=runs/ stale.kht
