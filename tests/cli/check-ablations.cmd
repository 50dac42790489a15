# Any subset of the steps gives the same verdicts.
for option in --no-stronger-first --no-saturation --no-guess --no-run-search --no-components --no-priority --no-propagation --decisions --no-static-lemmas --no-unsat-search; do
  krait check --level=ser --quiet $option valid.kht lost-update.kht stale.kht
done | sort | uniq -c | sed 's/^ *//'
