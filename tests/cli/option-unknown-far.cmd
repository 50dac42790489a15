krait check --frobnicate valid.kht
