krait check -h
