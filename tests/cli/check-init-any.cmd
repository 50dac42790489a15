krait check --level=ser --init=any --quiet any.kht
