krait check --level=ser,strong-session-ser,ser stale.kht | head -n 3; exit ${PIPESTATUS[0]}
