krait check -x valid.kht
