# One history, one mistake each: exit code 2 and one line with the place.
cat >head <<'END'
{"s":1,"t":1,"st":"ok","ops":[["put","x",1],["put","y",1]],"h":{"commitTs":1}}
{"s":2,"t":2,"st":"ok","ops":[["put","x",2]],"h":{"commitTs":2}}
{"s":3,"t":3,"st":"abort","ops":[["put","x",3]]}
{"s":4,"t":4,"st":"ok","ops":[["del","x",true]]}
END
try() { # HEADER-HINTS TRANSACTION [OPTION]
  { printf '{"krait":1,"hints":%s}\n' "$1" && cat head && printf '%s\n' "$2"; } >h.jsonl
  krait check --level=ser ${3:-} h.jsonl
  [ $? -eq 2 ] || echo "exit code: $1 $2"
}
order() { try "{\"versionOrder\":$1}" '' ${2:-}; }
read_x() { try '{}' "{\"s\":9,\"t\":9,\"st\":\"ok\",\"ops\":[$1]}"; }
order 5
order '[5]'
order '[[{},[1]]]'
order '[["x",1]]'
order '[["x"]]'
order '[["x",[1,2],3]]'
order '[["x",["1"]]]'
order '[["x",[-1]]]'
order '[["x",[1,8]]]'
order '[["x",[1,3]]]'
order '[["y",[1,2]]]'
order '[["x",[1,2,1]]]'
order '[["x",[1]],["x",[2]]]'
order '[["z",[1]]]'
order '[["x",[2,1]]]' --trust-commit-ts
try '{"uniqueValues":1}' ''
try '{"versionOrder":[],"versionOrder":[]}' ''
try '{}' '{"s":9,"t":9,"st":"ok","ops":[],"h":{"commitTs":"7"}}'
try '{}' '{"s":9,"t":9,"st":"ok","ops":[],"h":{"commitTs":9223372036854775808}}'
try '{}' '{"s":9,"t":9,"st":"ok","ops":[],"h":{"commitTs":1.5}}'
try '{"uniqueValues":true}' '{"s":9,"t":9,"st":"abort","ops":[["put","y",1]]}'
read_x '["get","x",1,{"version":"v"}]'
read_x '["get","x",1,{"version":[1]}]'
read_x '["get","x",1,{"version":-1}]'
read_x '["get","x",1,{"version":8}]'
read_x '["get","x",1,{"version":2}]'
read_x '["get","x",3,{"version":3}]'
read_x '["get","x",1,{"version":null}]'
read_x '["put","y",7],["get","x",1,{"version":9}]'
read_x '["put","x",7],["get","x",1,{"version":9}]'
read_x '["get","x",null,{"version":1}]'
read_x '["cas","x",2,8,false,{"version":2}]'
read_x '["cas","x",2,8,true,{"version":1}]'
read_x '["del","x",false,{"version":2}]'
read_x '["scan","a","c",[],{"version":1}]'
read_x '["scan","a","c",[],{"version":[["x",1]]}]'
read_x '["scan","x","z",[["x",1]],{"version":[["x",1],["x",1]]}]'
read_x '["scan","x","z",[["x",1]],{"version":[["y",4]]}]'
read_x '["scan","x","z",[["x",1]],{"version":[["x2",4]]}]'
read_x '["scan","x","z",[["x",1]],{"version":[["x",2]]}]'
read_x '["iter","x","z",[["x",1]],{"end":false,"version":[["x",1],["y",1]]}]'
list=$'{"s":9,"t":9,"st":"ok","ops":[["append","l",1]],"h":{"commitTs":9}}\n{"s":8,"t":8,"st":"ok","ops":[["append","l",2]],"h":{"commitTs":8}}'
try '{"versionOrder":[["l",[8,9]]]}' "$list"$'\n{"s":7,"t":7,"st":"ok","ops":[["list","l",[1,2]]]}'
try '{}' "$list"$'\n{"s":7,"t":7,"st":"ok","ops":[["list","l",[1,2]]]}' --trust-commit-ts
try '{}' "$list"$'\n{"s":7,"t":7,"st":"ok","ops":[["list","l",[1,2],{"version":9}]]}'
try '{}' "$list"$'\n{"s":7,"t":7,"st":"ok","ops":[["list","l",[],{"version":9}]]}'
exit 2
