krait encode --level=ser --to=gnf repeat.kht - | grep -v '^c history'
krait encode --level=update-serializable --to=gnf --no-saturation repeat.kht - | grep -v '^c'
