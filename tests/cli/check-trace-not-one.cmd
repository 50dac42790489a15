mkdir run.trace
printf 'hello\n' >run.trace/7.ktr
krait check --level=serializable run.trace
