krait check --level=ser blind.kht
