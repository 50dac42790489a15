krait explain --level=ser --quiet --dot=a.dot --svg=a.svg --html=a.html lost-update.kht
echo "code $?"
head -n 1 a.dot; head -n 2 a.svg | cut -c 1-60; head -n 1 a.html
grep -c '<g class="arrow ' a.svg
ls a.*
krait explain --level=ser --quiet --svg=a.svg lost-update.kht
echo "code $?"
krait explain --level=ser --quiet --svg=a.svg --force lost-update.kht
echo "code $?"
