krait check --level=strongest untimed.kht
