krait convert --to=jepsen-json list-append.edn out.json && krait convert --to=kht out.json out.kht && krait convert --to=kht list-append.edn - | cmp - out.kht
