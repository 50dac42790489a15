krait explain --level=ser --json --dot=a.dot lost-update.kht | cut -d , -f 2-4
ls a.dot
