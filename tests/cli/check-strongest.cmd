krait check --level=strongest valid.kht stale.kht
