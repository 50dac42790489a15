krait check --level=all lost-update.kht
