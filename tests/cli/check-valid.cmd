krait check --level=serializable valid.kht
