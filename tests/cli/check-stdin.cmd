krait check --level=ser - <lost-update.kht | head -n 2; exit ${PIPESTATUS[0]}
