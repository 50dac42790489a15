krait verify --help
