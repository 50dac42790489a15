# Two increments from nothing, of which one is lost; one of something that is no number; and one without a result, whose key is read.
printf 's1 T1 { inc x 5 -> 5 } commit\ns2 T2 { inc x 2 -> 2 } commit\n' >lost.kht
printf 's1 T1 { inc x 1 -> one } commit\n' >word.kht
printf 's1 T1 { inc x 1 } commit\ns2 T2 { get x -> nil } commit\n' >blind.kht
krait check --level=si lost.kht
krait check --level=ser word.kht
krait check --level=ser blind.kht
krait convert --to=jsonl lost.kht -
krait convert --to=jsonl --anonymise lost.kht -
krait convert --to=cobra lost.kht lost.cobra
