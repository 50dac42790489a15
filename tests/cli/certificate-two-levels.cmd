krait check --level=si,ser --certificate=v.crt valid.kht
