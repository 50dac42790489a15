krait chek x
