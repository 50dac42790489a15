krait check --level=ser --memory=100K valid.kht
