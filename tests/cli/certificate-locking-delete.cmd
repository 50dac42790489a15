# What holds without a lock is no proof for the same history with one: the delete holds a cursor then, and T1 wrote in between.
printf 's2 T1 { put a 1 } commit\ns2 T3 { del a -> absent; put a 1 } commit\n' >plain.kht
sed 's/absent/absent @update/' plain.kht >locks.kht
krait check --quiet --level=strong-session-cursor-stability --certificate=valid.kcert plain.kht 2>/dev/null
krait verify plain.kht valid.kcert
krait verify locks.kht valid.kcert
