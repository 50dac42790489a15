cp valid.kht -- --json
krait check --level=ser -- --json
