# Each command has both; the long one has examples and is longer.
for command in $(krait -h | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  krait $command -h >short || echo "$command -h: $?"
  krait $command --help >long || echo "$command --help: $?"
  head -n 1 short
  grep -q '^Examples' long || echo "$command --help has no examples"
  ! grep -q '^Examples' short || echo "$command -h has examples"
done
