for value in 0 1025 -1 two 1x '' 18446744073709551616; do krait check --level=ser --threads=$value valid.kht 2>&1; done
