# A gigabyte in a few hundred kilobytes, with and without the head of a certificate: neither takes more memory than the history can need.
krait check --quiet --level=si --certificate=v.crt valid.kht; krait check --quiet --level=si --certificate=i.crt lost-update.kht
head -c 10000000 /dev/zero | gzip >zeros.gz; for i in $(seq 100); do cat zeros.gz; done >bomb.gz
verify() { krait verify --memory=400M "$@" 2>&1 | sed 's/[0-9]* bytes/N bytes/'; echo ${PIPESTATUS[0]}; }
verify valid.kht bomb.gz
{ gzip -c <v.crt; cat bomb.gz; } >v.gz; verify valid.kht v.gz
{ gzip -c <i.crt; cat bomb.gz; } >i.gz; verify lost-update.kht i.gz
