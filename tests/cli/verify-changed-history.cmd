krait check --quiet --level=ser --certificate=v.crt valid.kht; sed "s/put x 1/put x 77/" valid.kht >changed.kht; cmp -s valid.kht changed.kht && echo same; krait verify changed.kht v.crt; echo $?
