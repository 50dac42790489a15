krait convert --to=kht list-append.edn -
