krait check --level=all valid.kht lost-update.kht
