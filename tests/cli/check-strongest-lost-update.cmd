krait check --level=strongest lost-update.kht | head -n 2; exit ${PIPESTATUS[0]}
