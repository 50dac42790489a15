mkdir -p runs/deep runs/.hidden
cp valid.kht runs/b.kht
cp lost-update.kht runs/deep/a.kht
cp bad.kht runs/.hidden/x.kht
krait convert --to=cobra integers.kht runs/cobra
krait check --level=ser --quiet --batch=runs
