krait check --level=ser valid.kht lost-update.kht | head -n 3; exit ${PIPESTATUS[0]}
