krait check --levl=ser valid.kht
