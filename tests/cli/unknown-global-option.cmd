krait --frobnicate
