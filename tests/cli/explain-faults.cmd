# What a read alone shows, with those who wrote what it read: each has a part that is invalid by itself, and is called what it is.
read_only_later='s1 T1 { get a -> 1; put a 1 } commit'
several_ways='s1 T1 { get a -> 1; get b -> 2; get c -> 3; put a 1 } commit
s2 T2 { put a 1; put a 3 } commit
s2 T3 { put a 1 } abort
s2 T4 { put b 2 } abort'
unknown_intermediate='s1 T1 { put a 1; put a 2 } unknown
s2 T2 { get a -> 1 } commit'
own_append='s1 T1 { append a 1 } commit
s1 T2 { append a 2; list a -> [2] } commit'
blind_delete='s1 T1 { put a 1; put b 1 } commit
s2 T2 { get b -> 1; del a -> found; put b 2 } commit
s3 T3 { get b -> 1; put b 3 } commit'
for history in "$read_only_later" "$several_ways" "$unknown_intermediate" "$own_append" "$blind_delete"; do
  printf 'krait 1 keys=bytes init=absent\n%s\n' "$history" > one.kht
  krait explain --level=strong-session-snapshot-isolation one.kht
done
