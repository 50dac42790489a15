: >empty
krait check --level=ser --init=empty any.kht
