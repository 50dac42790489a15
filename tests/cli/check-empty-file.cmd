: >empty
krait check --level=ser empty
