krait stats
