krait -h
