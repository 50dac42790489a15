TERM=xterm krait check --level=ser lost-update.kht | head -n 1
