krait check --level=ser register.edn
