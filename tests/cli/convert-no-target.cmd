krait convert valid.kht out
