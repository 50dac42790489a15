# Under `may` a read behind an own delete saw that or what was there before, and the hint says which: the initial state. That was absent then, and the delete
# found something else.
printf 'krait 1 init=any\ns1 T1 { put x 3 } unknown\ns2 T2 { put x 2 } unknown\ns3 T3 { del x -> found; get x -> nil @version=null } commit\n' >seen.kht
krait check --own-writes=may --level=ser --quiet seen.kht
krait check --own-writes=may --level=ser --quiet --no-guess seen.kht
krait check --own-writes=may --level=rc --quiet seen.kht
