krait check --level=ser nowhere.kht
