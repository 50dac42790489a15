printf 'kir 1\nlevel cs\npoints 1 ww=0>0 wr=0>0 rw=0>0\ntxn T1 s1\nkey k0 init=absent T1=v0@1\nread T1 k0=absent at=1\n' >bad.kir
krait check bad.kir
