krait check --level=ser --format=plume valid.kht 2>&1 | head -c 40
