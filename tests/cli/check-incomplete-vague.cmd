# An inc that may have seen a 0 that nobody recorded wrote.
cat >inc.kht <<'END'
krait 1 keys=bytes init=absent incomplete="cut off"
s1 T1 [1 2] { inc y 1 -> 1 } commit
s2 T2 [3 4] { inc y 1 -> 1 } commit
END
krait check --level=strict-serializable inc.kht
# Not if both are written down.
cat >both.kht <<'END'
krait 1 keys=bytes init=absent incomplete="cut off"
s1 T1 [1 2] { put y 0 } commit
s1 T2 [3 4] { inc y 1 -> 1 } commit
s2 T3 [5 6] { inc y 1 -> 1 } commit
END
krait check --level=strict-serializable --quiet both.kht
# A delete that its own transaction shows to have done nothing asks for an initial value.
cat >asks.kht <<'END'
krait 1 keys=int init=any incomplete="cut off"
s1 T1 { del 0; get 0 -> 6 } commit
END
krait check --level=read-committed --own-writes=must asks.kht
# One that may have deleted something does not, beside a read that does.
cat >beside.kht <<'END'
krait 1 keys=int init=any incomplete="cut off"
s1 T1 { put 0 v2 } commit
s1 T3 { del 0; get 0 -> nil } commit
s3 T2 { get 0 -> v3 } commit
END
krait check --level=read-committed --own-writes=external beside.kht
# A transaction that was cut off may have written its key again, behind what it read.
cat >cut.kht <<'END'
krait 1 keys=bytes init=absent incomplete="cut off"
s1 T1 [101 103] { append x 1 } commit
s2 T3 [102 -] { list x -> nil; append x 2; list x -> [2] } unknown
s2 T4 [111 112] { list x -> [1 2 3] } commit
END
krait check --level=monotonic-view cut.kht
