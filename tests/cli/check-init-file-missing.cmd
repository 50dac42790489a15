krait check --level=ser --init=@nowhere.jsonl any.kht
