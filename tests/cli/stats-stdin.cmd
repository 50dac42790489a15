krait stats - <valid.kht | head -n 2
