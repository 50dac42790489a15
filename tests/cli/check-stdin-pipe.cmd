cat valid.kht | krait check --level=ser -
