krait convert --to=jepsen-json list-append.edn -
