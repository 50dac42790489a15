for value in 4294967296 4194304K 4194304k 4096M 4096m 4G 4g; do krait check --level=ser --quiet --memory=$value valid.kht; done
