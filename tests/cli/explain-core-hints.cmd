# What a verdict rests on besides the operations goes into the part: hints about what is left, and the dialect.
cat >h.jsonl <<'EOF'
{"krait":1,"hints":{"versionOrder":[["x",[2,9,1]]]}}
{"s":1,"t":1,"st":"ok","ops":[["put","x",1]]}
{"s":2,"t":2,"st":"ok","ops":[["put","x",2]]}
{"s":4,"t":9,"st":"ok","ops":[["put","x",9],["put","z",9]]}
{"s":3,"t":3,"st":"ok","ops":[["get","x",1],["get","z",9]]}
{"s":3,"t":4,"st":"ok","ops":[["get","x",2]]}
EOF
krait explain --level=strong-session-serializable --core=core.jsonl h.jsonl
echo "code $?"
cat core.jsonl
krait check --level=strong-session-serializable --quiet core.jsonl
echo "code $?"
cat >torn.kht <<'EOF'
krait 1 init=0
s1 T1 { put x 1; put y 1; put w 1 } commit
s2 T2 { get x -> 0; put z 7; get y -> 1 } commit
s3 T3 { put v 1 } commit
EOF
krait explain --level=serializable --dialect=mariadb-rr --core=core.kht --quiet torn.kht
echo "code $?"
cat core.kht
krait check --level=serializable --dialect=mariadb-rr --quiet core.kht
echo "code $?"
