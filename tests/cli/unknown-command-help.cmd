krait help; krait -version
