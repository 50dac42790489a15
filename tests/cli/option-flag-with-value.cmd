krait check --level=ser --json=yes valid.kht
