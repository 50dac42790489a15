printf 'kir 1\nlevel ser\nnonsense\n' >bad.kir
krait check --level=ser bad.kir
