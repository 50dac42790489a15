cat >before.kht <<'END'
krait 1 init=0
s1 T1 { put x 1; get x -> 0 } commit
s2 T2 { get x -> 1 } commit
END
krait check --level=ser --own-writes=infer before.kht
krait check --level=ser --own-writes=may before.kht
krait check --level=sser --own-writes=infer before.kht
krait check --level=ser --own-writes=infer lost-update.kht
krait check --level=all --own-writes=infer before.kht
krait check --level=ser --own-writes=infer --json before.kht | grep -o '"ownWrites":.*'
krait check --level=ser --own-writes=may --output=edn before.kht | grep -o ':ownWrites .*'
krait check --level=ser --own-writes=infer --output=junit before.kht | grep system-out
# What a hint says of a read counts: that it saw another transaction's version, or its own.
cat >hinted.kht <<'END'
krait 1
s1 T1 { put x 1; get x -> 1 @version=2 } commit
s2 T2 { put x 1 } commit
END
krait check --level=ser --own-writes=infer hinted.kht
sed 's/@version=2/@version=1/' hinted.kht >own.kht
krait check --level=ser --own-writes=infer own.kht 2>/dev/null
sed 's/get x -> 1 @version=2/&; get x -> 1 @version=1/' hinted.kht >both.kht
krait check --level=ser --own-writes=infer both.kht
