# A trace is written over only when told; then nothing of the other one is left.
krait convert --to=trace lost-update.kht run.trace
cp run.trace/1.ktr run.trace/33.ktr
krait convert --to=trace lost-update.kht run.trace
echo "exit code $?"
krait convert --to=trace --force lost-update.kht run.trace
ls run.trace
