krait check --quiet --level=si --certificate=l.crt lost-update.kht; echo $?; krait verify lost-update.kht l.crt; echo $?; krait verify --dump lost-update.kht l.crt
