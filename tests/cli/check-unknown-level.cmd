krait check --level=serialisable valid.kht
