krait explain --level=ser --svg=a.svg valid.kht
echo "code $?"
[ ! -e a.svg ]
