code() { krait check --quiet "$@" >/dev/null 2>&1; echo "$? $*"; }
code --level=sser valid.kht
code --level=sser valid.kht untimed.kht
code --level=sser untimed.kht stale.kht
code --level=sser valid.kht untimed.kht stale.kht
code --level=sser untimed.kht bad.kht stale.kht
code --level=sser bad.kht
code --level=all stale.kht
code --level=all stale.kht untimed.kht
code --level=all stale.kht bad.kht
code --level=strongest lost-update.kht
code --level=strongest untimed.kht
