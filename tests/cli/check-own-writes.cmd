# A read that sees its own write, one that sees the state before it, and a transaction with both.
cat >own.kht <<'END'
krait 1 init=0
s1 T1 { put x 1; get x -> 1 } commit
END
cat >before.kht <<'END'
krait 1 init=0
s1 T1 { put x 1; get x -> 0 } commit
END
cat >both.kht <<'END'
krait 1 init=0
s1 T1 { put x 1; get x -> 0; get x -> 1 } commit
END
for policy in must external may infer; do
  echo "$policy"
  krait check --level=ser --own-writes=$policy --quiet own.kht before.kht both.kht
done
