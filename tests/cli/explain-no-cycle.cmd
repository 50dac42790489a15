printf "s1 T1 { put x 1 } abort\ns2 T2 { get x -> 1 } commit\n" >aborted-read.kht
krait explain --level=ser --dot=a.dot aborted-read.kht
echo "code $?"
grep -c 't[01] \[label' a.dot
