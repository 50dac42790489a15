krait encode --level=ser --to=kir torn-unexplained.jsonl out.kir
