krait check --level=serializable lost-update.kht
