# What hints say is in the file; a contradiction is bad input here too.
printf '{"krait":1,"hints":{"versionOrder":[["x",[2,1]]]}}\n{"s":1,"t":1,"st":"ok","ops":[["put","x",1]]}\n{"s":1,"t":2,"st":"ok","ops":[["put","x",2]]}\n' >h.jsonl
krait encode --level=ser --to=kir h.jsonl h.kir
grep ^order h.kir
krait check --trust-commit-ts h.kir
sed 's/\[2,1\]/[2,2]/' h.jsonl >twice.jsonl
krait encode --level=ser --to=kir twice.jsonl h2.kir
