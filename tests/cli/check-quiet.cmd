krait check --level=ser --quiet lost-update.kht blind.kht
