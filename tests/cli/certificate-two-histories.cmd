krait check --level=si --certificate=v.crt valid.kht lost-update.kht
