krait frobnicate
