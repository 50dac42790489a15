for threads in 1 2 8; do krait check --level=ser --threads=$threads --seed=7 lost-update.kht | sha256sum; done | sort | uniq -c | sed 's/^ *//; s/ .*//'
