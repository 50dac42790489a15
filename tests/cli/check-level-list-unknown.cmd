krait check --level=ser,sser untimed.kht
