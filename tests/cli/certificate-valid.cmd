krait check --level=si --certificate=v.crt valid.kht && krait verify valid.kht v.crt && krait verify --json valid.kht v.crt && krait verify --dump valid.kht v.crt
