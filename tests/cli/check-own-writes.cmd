krait check --level=ser --own-writes=must --quiet valid.kht
krait check --level=ser --own-writes=may --quiet valid.kht
