krait check valid.kht
