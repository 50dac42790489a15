krait stats bad.kht valid.kht | head -n 1; exit ${PIPESTATUS[0]}
