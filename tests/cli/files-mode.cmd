# A file that is replaced stays for those whom it was for.
krait convert --to=kht valid.kht out.kht
chmod 600 out.kht
krait convert --force --to=kht valid.kht out.kht
stat -c %a out.kht
chmod 444 out.kht
krait convert --force --to=jsonl valid.kht out.kht
stat -c %a out.kht
head -c 10 out.kht
