krait check --level=all --json stale.kht | grep -o '"verdict":"[a-z]*","level":"[a-z-]*"'
exit ${PIPESTATUS[0]}
