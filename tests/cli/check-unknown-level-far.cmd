krait check --level=frobnicate valid.kht
