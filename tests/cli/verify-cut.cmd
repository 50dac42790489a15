krait check --quiet --level=si --certificate=v.crt valid.kht; head -c 30 v.crt >cut.crt; krait verify valid.kht cut.crt
