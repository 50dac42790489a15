krait check --level=ser
