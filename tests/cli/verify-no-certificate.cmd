krait verify valid.kht valid.kht
