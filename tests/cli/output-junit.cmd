cp lost-update.kht 'a&b<c>".kht'
krait check --level=sser --output=junit valid.kht 'a&b<c>".kht' untimed.kht bad.kht 2>/dev/null |
  sed -E 's/time="[0-9.]*"/time=""/; s/(<failure[^>]*>).*/\1…/; /^  T[0-9]/d'
exit ${PIPESTATUS[0]}
