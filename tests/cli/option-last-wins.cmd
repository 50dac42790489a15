krait check --level=sser --level=ser valid.kht
