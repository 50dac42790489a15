krait check --level=ser --init=header.jsonl integers.kht
