krait
