printf 'kir 2\nlevel cs\nrules points=1 ww=0>0 wr=0>0 rw=0>0 anti=none view=paths\ntxn T1 c1\nkey k0 init=absent T1=v0\nread r0 T1 k0=absent sources=T1 at=1\n' >bad.kir
krait check bad.kir
printf 'kir 1\nlevel ser\n' >old.kir
krait check --level=ser old.kir
