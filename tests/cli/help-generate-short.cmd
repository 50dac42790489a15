krait generate -h
