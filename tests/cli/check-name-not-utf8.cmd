cp valid.kht $'odd\xff\"name.kht'
krait check --level=ser --json $'odd\xff\"name.kht' | grep -o '"history":"odd[^,]*,'
