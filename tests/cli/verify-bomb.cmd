# A gigabyte in a few hundred kilobytes, with and without the head of a certificate: neither takes more memory than the history can need.
krait check --quiet --level=si --certificate=v.crt valid.kht; krait check --quiet --level=si --certificate=i.crt lost-update.kht
head -c 10000000 /dev/zero | gzip >zeros.gz; for i in $(seq 100); do cat zeros.gz; done >bomb.gz
krait verify --memory=400M valid.kht bomb.gz; echo $?
for c in v:valid i:lost-update; do { gzip -c <${c%:*}.crt; cat bomb.gz; } >c.gz; krait verify --memory=400M ${c#*:}.kht c.gz; echo $?; done
