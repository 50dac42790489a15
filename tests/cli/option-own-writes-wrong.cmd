krait check --level=ser --own-writes=never valid.kht
