# Timestamps are only a suggestion, unless they are trusted.
cat >h.jsonl <<'END'
{"s":1,"t":1,"st":"ok","ops":[["put","x",1]],"h":{"commitTs":-5}}
{"s":2,"t":2,"st":"ok","ops":[["put","x",2]],"h":{"commitTs":7}}
{"s":3,"t":3,"st":"ok","ops":[["get","x",2]]}
{"s":3,"t":4,"st":"ok","ops":[["get","x",1]]}
END
krait check --level=strong-session-serializable h.jsonl
krait check --level=strong-session-serializable --trust-commit-ts h.jsonl
sed 's/-5/7/' h.jsonl >equal.jsonl
krait check --level=ser equal.jsonl
krait check --level=ser --trust-commit-ts equal.jsonl
