cp valid.kht $'odd\tname\n.kht'
krait check --level=ser $'odd\tname\n.kht'
krait check --level=ser --json $'odd\tname\n.kht' | grep -o '"history":"[^"]*"'
