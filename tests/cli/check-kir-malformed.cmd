printf 'kir 2\nlevel ser\nnonsense\n' >bad.kir
krait check --level=ser bad.kir
