# A module is a file like any other: without a slash it is looked for here, not in the system's folders.
krait check --level=ser --module=libc.so:7 valid.kht
