krait explain --level=ser --dot=- lost-update.kht
