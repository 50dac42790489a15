# Why a read after an own write is refused.
one() { # POLICY OPERATIONS
  printf 'krait 1 init=0\ns1 T1 { %s } commit\ns2 T2 { put x 5 } abort\n' "$2" >one.kht
  krait check --level=ser --own-writes="$1" one.kht | tail -n +2
}
one must 'put x 1; get x -> 0'
one external 'put x 1; get x -> 1'
one external 'put x 5; get x -> 5'
one external 'get x -> 1; put x 1; get x -> 1'
one external 'put x 1; put x 2; get x -> 1'
one may 'put x 1; get x -> 1; put x 2; get x -> 1'
one may 'put x 1; get x -> 5'
one may 'put x 1; get x -> 6'
