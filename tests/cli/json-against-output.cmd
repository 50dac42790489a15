krait check --level=ser --json --output=junit valid.kht
