[ -w /dev/full ] || { echo 'no /dev/full'; exit 77; }
krait check --level=ser valid.kht >/dev/full
