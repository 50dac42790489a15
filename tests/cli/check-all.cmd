krait check --level=all stale.kht
