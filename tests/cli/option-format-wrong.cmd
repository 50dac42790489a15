krait check --level=ser --format=jsnol valid.kht
