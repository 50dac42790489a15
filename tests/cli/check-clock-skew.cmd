krait check --level=sser --quiet --clock-skew=0 stale.kht
printf 's1 T1 [0 10] { put x 1 } commit\ns2 T2 [20 30] { get x -> nil } commit\n' >gap.kht
krait check --level=sser --quiet gap.kht
krait check --level=sser --quiet --clock-skew=9 gap.kht
krait check --level=sser --quiet --clock-skew=10 gap.kht
