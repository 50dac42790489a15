krait levels ser
