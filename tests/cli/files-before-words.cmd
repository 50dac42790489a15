# Who reads only the first line gets all files; who reads nothing at all, too.
krait explain --level=ser --dot=a.dot --svg=a.svg --html=a.html --core=a.kht lost-update.kht | head -n 1
ls a.dot a.svg a.html a.kht
krait check --level=ser --certificate=c lost-update.kht | true
krait verify lost-update.kht c
(trap '' PIPE; krait explain --level=ser --core=b.kht --dot=b.dot lost-update.kht 2>/dev/null) | true
ls b.*
