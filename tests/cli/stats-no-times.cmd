krait stats untimed.kht | grep -v memory
