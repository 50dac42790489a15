krait levels
