krait check --level=ser --dialect=mariadb valid.kht
