echo mine >v.crt; krait check --level=si --certificate=v.crt valid.kht; echo $?; cat v.crt; krait check --quiet --level=si --certificate=v.crt --force valid.kht && krait verify valid.kht v.crt
