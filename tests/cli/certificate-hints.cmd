cat >h.jsonl <<'END'
{"krait":1,"hints":{"versionOrder":[["x",[2,1]]]}}
{"s":1,"t":1,"st":"ok","ops":[["put","x",1]]}
{"s":1,"t":2,"st":"ok","ops":[["put","x",2]]}
{"s":2,"t":3,"st":"ok","ops":[["get","x",1,{"version":1}]]}
END
krait check --quiet --level=ser --certificate=v.crt h.jsonl; krait verify h.jsonl v.crt
krait check --quiet --level=strong-session-ser --certificate=i.crt h.jsonl; krait verify --dump h.jsonl i.crt
