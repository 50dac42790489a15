# A cas or a delete that locks holds a cursor like a get that does; and where one locks, gets without a flag hold none.
printf 's1 T1 { get x -> nil; put x 1 } commit\ns2 T2 { get x -> nil; put x 2 } commit\n' >none.kht
cp none.kht cas.kht
echo 's3 T3 { cas y 1 2 -> failed @update } commit' >>cas.kht
krait check --quiet --level=cs none.kht
krait check --quiet --level=cs cas.kht
sed 's/get x -> nil/del x -> absent/' none.kht >plain.kht
sed 's/absent/absent @update/' plain.kht >delete.kht
sed 's/put x \(.\)/cas x nil \1 -> ok @update/; s/get x -> nil; //' none.kht >done.kht
sed 's/get x -> nil/cas x 9 8 -> failed @share/' none.kht >failed.kht
krait check --quiet --level=cs plain.kht
krait check --quiet --level=cs delete.kht
krait check --quiet --level=cs done.kht
krait check --quiet --level=cs failed.kht
