krait check --level=ser registers.json
