# A bit of a record.
krait convert --to=trace lost-update.kht run.trace
printf '\001' | dd of=run.trace/2.ktr bs=1 seek=154 conv=notrunc 2>dd.err
krait check --level=serializable run.trace
