# What an iterator read of keys that its transaction wrote while it was open, nobody knows; the rest of it counts.
cat >open.kht <<'END'
krait 1 keys=int init=absent
s1 T1 { iter - 0 -> -1=1 @reverse @update @[0 20]; put -1 1 @[20 25] } commit
END
sed 's/20 25/21 25/' open.kht >closed.kht
krait check --quiet --dialect=mariadb-rr --level=serializable open.kht closed.kht
krait check --quiet --dialect=mariadb-rr --level=serializable --certificate=c open.kht
krait verify open.kht c
