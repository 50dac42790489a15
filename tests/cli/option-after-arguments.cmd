krait check valid.kht --level=ser
