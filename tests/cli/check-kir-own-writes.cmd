# The policy is worked into a .kir file.
printf 'krait 1 init=0\ns1 T1 { put x 1; get x -> 0 } commit\ns2 T2 { get x -> 1 } commit\n' >before.kht
for policy in must external may infer; do
  krait encode --level=ser --own-writes=$policy --to=kir before.kht $policy.kir
  krait check --quiet $policy.kir
done
krait check --json infer.kir | grep -o '"ownWrites":.*'
krait check --own-writes=may may.kir
