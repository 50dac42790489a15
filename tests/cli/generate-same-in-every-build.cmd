# The same bytes, however Krait was compiled: what histories of each level have always summed up to. (Zipf asks the system's pow.)
for level in $(krait generate --help | sed -n '/^Levels of the store/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
  for distribution in uniform hotspot; do
    krait generate --workload=blindw-repeated --level=$level --txns=500 --keys=100 --distribution=$distribution --abort-rate=0.1 \
      --unknown-rate=0.1 --quiet - | cksum | sed "s/^/$level $distribution /"
  done
done
