krait check --level=ser --quiet lost-update.kht bad.kht nowhere.kht valid.kht
