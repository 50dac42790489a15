krait check --json --level=ser bad.kht
