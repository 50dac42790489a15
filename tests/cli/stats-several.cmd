krait stats valid.kht lost-update.kht | grep history
