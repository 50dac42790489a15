krait check --level valid.kht
