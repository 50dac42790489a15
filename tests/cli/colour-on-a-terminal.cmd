command -v script >/dev/null || { echo 'no script(1)'; exit 77; }
on_terminal() { script -qec "$1" /dev/null | tr -d '\r' | grep -a valid | sed 's/\x1b\[K//g; s/.*\r//' | cat -v; }
export TERM=xterm
on_terminal 'krait check --level=ser --quiet valid.kht 2>/dev/null'
on_terminal 'krait check --level=ser --quiet lost-update.kht 2>/dev/null'
on_terminal 'NO_COLOR=1 krait check --level=ser --quiet valid.kht 2>/dev/null'
on_terminal 'NO_COLOR= krait check --level=ser --quiet valid.kht 2>/dev/null'
on_terminal 'TERM=dumb krait check --level=ser --quiet valid.kht 2>/dev/null'
