krait check --level=ser valid.kht 2>&1
