krait check --level=ser --init=header.jsonl --quiet any.kht
krait check --level=ser --init=@header.jsonl --quiet any.kht
