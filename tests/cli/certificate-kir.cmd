# A certificate of a .kir file, as text and as an object; then with another file, with what a history has, damaged, and of a fault.
krait encode --level=si --to=kir valid.kht v.kir && krait encode --level=si --to=kir lost-update.kht i.kir
krait check --certificate=v.crt v.kir && krait verify v.kir v.crt && krait verify --json v.kir v.crt && krait verify --dump v.kir v.crt
krait check --level=si --quiet --certificate=i.crt i.kir; krait verify i.kir i.crt; krait verify --dump i.kir i.crt
krait verify v.kir i.crt; krait verify --json i.kir v.crt; echo $?
sed '/^read r0/d; s/^read r1/read r0/' i.kir >other.kir; krait verify other.kir i.crt
{ cat i.kir; echo edge T1 T2 given; } >longer.kir; krait verify longer.kir i.crt
krait check --level=si --quiet --certificate=h.crt lost-update.kht; krait verify i.kir h.crt; krait verify lost-update.kht i.crt
head -c 20 i.crt >cut.crt; krait verify i.kir cut.crt; { cat i.crt; printf x; } >long.crt; krait verify i.kir long.crt; krait verify i.kir valid.kht
krait verify --init=any i.kir i.crt; echo $?
{ head -3 i.kir; echo fault words; tail -n +4 i.kir; } >fault.kir; krait check --quiet --certificate=f.crt fault.kir; krait verify --dump fault.kir f.crt
{ head -3 i.kir; echo undefined words; tail -n +4 i.kir; } >undefined.kir; krait check --certificate=u.crt undefined.kir; echo $?
