# Reading counts: a history that never comes, and one that is a single long line.
krait check --quiet --level=si --certificate=v.crt valid.kht
mkfifo never; sleep 5 >never & krait verify --timeout=0.2 --format=kht never v.crt; echo $?; kill $!
head -c 50000000 /dev/zero | tr '\0' '#' | gzip >line.gz; for i in 1 2 3 4 5 6 7 8 9; do cat line.gz; done >long.kht
krait verify --memory=300M --format=kht long.kht v.crt; echo $?
krait verify valid.kht - <valid.kht; echo $?
krait verify --memory=much valid.kht v.crt; echo $?
