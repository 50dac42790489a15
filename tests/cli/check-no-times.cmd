krait check --level=sser untimed.kht
