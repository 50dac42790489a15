# The tables come from the code; here only what the help consists of.
krait generate --help | grep -E '^[A-Z]|^    krait'
