krait check --level=ser --output=json valid.kht | cut -c 1-40
krait check --level=ser --json --output=json valid.kht | cut -c 1-40
