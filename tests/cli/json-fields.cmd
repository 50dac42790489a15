# Every field of the contract, in a verdict of each kind.
for history in valid lost-update untimed; do
  krait check --level=sser --json $history.kht >one
  [ "$(wc -l <one)" -eq 1 ] || echo "$history: not one line"
  for field in schema verdict level history transactions sessions operations keys anomaly anomalyName cycle core superpositions \
    initial afterSaturation seconds parse lower saturate solve explain total peakRssBytes solver variables conflicts decisions lemmas \
    warnings reason ownWrites byLevel; do
    grep -q "[{,]\"$field\":" one || echo "$history: no $field"
  done
done
