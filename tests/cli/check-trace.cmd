# A trace reads as one history, found from its content; so does one that was cut, with a warning.
krait convert --to=trace lost-update.kht run.trace
ls run.trace
krait check --level=serializable --quiet run.trace
krait convert --to=kht run.trace -
truncate -s -1 run.trace/2.ktr
krait convert --to=kht run.trace -
