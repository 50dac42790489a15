krait check --level=SSER --quiet stale.kht
