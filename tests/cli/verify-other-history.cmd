krait check --quiet --level=si --certificate=v.crt valid.kht; krait verify lost-update.kht v.crt
