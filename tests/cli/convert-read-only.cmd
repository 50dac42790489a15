krait convert --to=jepsen list-append.edn -
