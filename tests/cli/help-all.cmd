krait --help >all && krait -h | head -n 3 && grep -c 'krait check --level' all >/dev/null && grep -A8 '^Exit codes' all
for format in $(krait --version | sed -n 's/^formats://p'); do grep -q "^  $format " all || echo "--help does not list $format"; done
