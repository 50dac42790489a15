krait check --level=sser --certificate=v.crt untimed.kht; echo $?; ls v.crt 2>&1
