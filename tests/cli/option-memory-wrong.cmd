for value in 0 -1 x 1T 1GB 9223372036854775808 9007199254740992K ''; do krait check --level=ser --memory=$value valid.kht 2>&1; done
