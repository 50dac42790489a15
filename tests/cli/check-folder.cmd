krait convert --to=cobra integers.kht log
krait check --level=ser --quiet log
