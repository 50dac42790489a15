for value in 0 -1 x 1s 1e3 nan inf 1000000001 ''; do krait check --level=ser --timeout=$value valid.kht 2>&1; done
