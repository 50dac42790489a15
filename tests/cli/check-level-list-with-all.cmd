krait check --level=ser,all valid.kht
