# Facts that a verdict rests on: a line in the text, a list in JSON; the version order takes precedence over nothing but what was open.
cat >h.jsonl <<'END'
{"krait":1,"hints":{"versionOrder":[["x",[2,1]]],"uniqueValues":false}}
{"s":1,"t":1,"st":"ok","ops":[["put","x",1]]}
{"s":2,"t":2,"st":"ok","ops":[["put","x",1]]}
{"s":3,"t":3,"st":"ok","ops":[["get","x",1,{"version":2}]]}
{"s":3,"t":4,"st":"ok","ops":[["scan","a","z",[["x",1]],{"version":[["x",1],["y",null]]}]]}
{"s":3,"t":5,"st":"ok","ops":[["get","x",1,{"version":2}]]}
END
krait check --level=read-committed h.jsonl
krait check --level=strong-session-serializable h.jsonl
krait check --level=read-uncommitted h.jsonl
krait check --level=ser --json h.jsonl | grep -o '"hints":.*'
krait check --level=ser --output=edn h.jsonl | grep -o ':hints .*'
krait check --level=ser --output=junit h.jsonl | grep system-out
krait check --level=all h.jsonl | tail -n 1
# The same through other formats.
krait convert --to=kht h.jsonl h.kht && krait check --level=strong-session-serializable --quiet h.kht
krait convert --to=krt h.kht h.krt && krait check --level=strong-session-serializable --quiet h.krt
krait convert --to=jsonl h.krt - | cmp - <(krait convert --to=jsonl h.jsonl -) && echo same
