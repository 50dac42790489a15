krait check --level=ser - <bad.kht
