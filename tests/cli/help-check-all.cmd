krait check --help
