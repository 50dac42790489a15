krait check --level=sser --clock-skew=-5 valid.kht
