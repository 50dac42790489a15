krait check --level=ser,,sser valid.kht
