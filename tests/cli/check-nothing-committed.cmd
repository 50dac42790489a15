for l in ser read-uncommitted all strongest; do krait check --level=$l nothing-committed.kht; echo $?; done
