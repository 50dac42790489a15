krait verify valid.kht
