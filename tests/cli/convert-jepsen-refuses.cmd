krait convert --to=jepsen-json mixed.kht -
