# The iterator saw the put of its own transaction, or that of T2; with the second everything is fine, and the first is what Krait looks at.
cat >own.kht <<'END'
krait 1
s1 T3 { put x 3 } commit
s2 T2 { get x -> 3 @update; put x 5 } commit
s3 T1 { get x -> 3 @update @[0 1]; iter - - -> x=5 @update @[2 10]; put x 5 @[5 6] } commit
END
krait check --level=cs own.kht
