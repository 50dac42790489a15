krait check --level=ser --anonymise valid.kht
