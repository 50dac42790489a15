krait explain --level=serializable lost-update.kht
