krait check --level=all --quiet stale.kht
