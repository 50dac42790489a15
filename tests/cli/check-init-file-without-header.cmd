krait check --level=ser --init=torn.jsonl any.kht
