krait levels --json
