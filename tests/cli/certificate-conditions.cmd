krait check --quiet --level=ser --own-writes=may --clock-skew=5 --init=any --certificate=v.crt valid.kht; krait verify --init=any valid.kht v.crt; krait verify --init=any --json valid.kht v.crt
