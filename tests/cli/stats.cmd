krait stats mixed.kht | sed -E 's/^(memory +)[0-9]+ bytes, [0-9.]+/\1N bytes, N/'
