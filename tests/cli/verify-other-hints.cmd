cat >h.jsonl <<'END'
{"krait":1,"hints":{"versionOrder":[["x",[2,1]]]}}
{"s":1,"t":1,"st":"ok","ops":[["put","x",1]]}
{"s":1,"t":2,"st":"ok","ops":[["put","x",2]]}
{"s":2,"t":3,"st":"ok","ops":[["get","x",1,{"version":1}]]}
END
krait check --quiet --level=strong-session-ser --certificate=i.crt h.jsonl; krait check --quiet --level=ser --certificate=v.crt h.jsonl
sed 's/\[2,1\]/[1,2]/' h.jsonl >reversed.jsonl; krait verify reversed.jsonl i.crt; krait verify reversed.jsonl v.crt
sed 's/,"hints":.*$/}/' h.jsonl >bare.jsonl; krait verify bare.jsonl i.crt; krait verify bare.jsonl v.crt
sed 's/"version":1/"version":2/' h.jsonl >wrong.jsonl; krait verify wrong.jsonl v.crt; krait verify --json h.jsonl i.crt
