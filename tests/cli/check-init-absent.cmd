krait check --level=ser --init=absent any.kht
