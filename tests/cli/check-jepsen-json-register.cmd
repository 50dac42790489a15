krait check --level=ser register.json
