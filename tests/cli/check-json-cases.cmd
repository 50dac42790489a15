# Either order of the writers closes a cycle; the core is two of three transactions. A phantom is told apart from write skew.
krait check --level=si --json lost-update.kht | grep -o '"anomaly":.*"explanation"'
krait check --level=si --json lost-update.kht | grep -o '"cases":.*'
echo 's1 T1 { scan a z -> none; put y 1 } commit' >phantom.kht
echo 's2 T2 { scan a z -> none; put x 1 } commit' >>phantom.kht
krait check --level=ser --json phantom.kht | grep -o '"anomaly":.*"explanation"'
# Two writers of what was read, none of which can have been read from.
cat >sources.kht <<'END'
s1 T1 { put x 1; put y 1 } commit
s2 T2 { put x 1; put y 2 } commit
s3 T3 { get y -> 1; get x -> 1; get y -> 2 } commit
END
krait check --level=ser sources.kht
# A delete of which nobody knows whether it found something.
cat >delete.kht <<'END'
s1 T1 { put x 1 } commit
s2 T2 { get x -> 1; del x; put d 1 } commit
s3 T3 { get d -> 1; get x -> 1 } commit
END
krait check --level=consistent-view delete.kht
