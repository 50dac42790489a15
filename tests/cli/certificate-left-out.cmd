# T1 cannot have taken place, because of what T5 read: the two that the explanation names are not enough for a proof.
cat >left-out.kht <<'END'
krait 1 keys=int init=any
s1 T1 { scan 0 2 -> none; del 2 @update; del 2 -> absent @update } unknown
s1 T5 { cas 2 nil 2 -> failed; get 1 -> 2 @share } commit
s3 T2 { put 1 1; put 2 4; cas 0 4 4 -> failed } commit
s3 T6 { get 2 -> nil @update } commit
END
krait check --quiet --level=causal --certificate=c left-out.kht
krait verify left-out.kht c
