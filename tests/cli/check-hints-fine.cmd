# Hints that fit, of every kind; a name that nobody knows is a warning. Bad input in JUnit is an error of the suite.
cat >h.jsonl <<'END'
{"krait":1,"init":{"default":0},"hints":{"uniqueValues":true,"versionOrder":[["x",[1,2,4]],["y",[]]],"colour":"red"}}
{"s":1,"t":1,"st":"ok","ops":[["get","x",0,{"version":null}],["put","x",1],["get","x",1,{"version":1}]],"h":{"commitTs":1,"colour":2}}
{"s":1,"t":2,"st":"ok","ops":[["cas","x",1,2,true,{"version":1}]],"h":{"commitTs":2}}
{"s":1,"t":3,"st":"abort","ops":[["get","x",77,{"version":2}]]}
{"s":1,"t":4,"st":"ok","ops":[["del","x",true,{"version":2}]],"h":{"commitTs":3,"size":1}}
{"s":1,"t":5,"st":"ok","ops":[["get","x",null,{"version":4}],["cas","x",8,9,false,{"version":4}],["scan",null,null,[["y",0]],{"version":[["x",4],["y",null],["zz",null]]}]]}
{"s":1,"t":6,"st":"ok","ops":[["append","l",5]]}
{"s":1,"t":7,"st":"ok","ops":[["get","y"],["get","y",0]]}
END
sed -i '/append/d' h.jsonl
krait check --level=strong-session-serializable --trust-commit-ts h.jsonl
printf '{"krait":1}\n{"s":1,"t":1,"st":"ok","ops":[["append","l",5]]}\n{"s":1,"t":2,"st":"ok","ops":[["append","l",6],["list","l",[5,6],{"version":2}]]}\n{"s":1,"t":3,"st":"ok","ops":[["list","l",[5,6],{"version":2}]]}\n' >l.jsonl
krait check --level=strong-session-serializable l.jsonl
sed 's/"version":4/"version":1/' h.jsonl >bad.jsonl
krait check --level=ser --output=junit bad.jsonl
