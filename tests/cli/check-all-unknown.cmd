krait check --level=all untimed.kht
