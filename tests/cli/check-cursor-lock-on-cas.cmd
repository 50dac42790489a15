# A flag on a cas is one that the history has: gets without one hold no cursor then.
printf 's1 T1 { get x -> nil; put x 1 } commit\ns2 T2 { get x -> nil; put x 2 } commit\n' >none.kht
cp none.kht cas.kht
echo 's3 T3 { cas y 1 2 -> failed @update } commit' >>cas.kht
krait check --quiet --level=cs none.kht
krait check --quiet --level=cs cas.kht
