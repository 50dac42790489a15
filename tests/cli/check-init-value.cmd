krait check --level=ser --init=5 --quiet any.kht
krait check --level=ser --init=6 --quiet any.kht
krait check --level=ser '--init="5"' --quiet any.kht
krait check --level=ser --init=none --quiet names.jsonl
krait check --level=ser '--init="none"' --quiet names.jsonl
krait check --level=ser --init=nothing --quiet names.jsonl
