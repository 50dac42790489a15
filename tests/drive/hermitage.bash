# The ten interleavings of Hermitage (Martin Kleppmann) and three of our own, on one database at one level. To be sourced.
#
#   hermitage URL ISOLATION     prints a line of words: for each interleaving `-` if the database prevented what it is about, else its name

hermitage_scripts=(g0 g1a g1b g1c otv pmp p4 g-single g2-item g2 p4-delete two-rows repeated-value)

# hermitage_one URL ISOLATION SCRIPT: what the database did is traced, and judged at the level that proscribes it.
hermitage_one() {
  local file=$KRAIT_SRCDIR/tests/drive/hermitage/$3 folder level
  folder=$(mktemp -d) || return 1
  level=$(sed -n 's/^# proscribed at //p' "$file")
  if ! "$KRAIT_BUILDDIR/tests/drive/interleave" "$1" "$2" "$file" "$folder" >&2; then
    echo failed
  else
    "$KRAIT" check --level="$level" --quiet "$folder" >/dev/null 2>"$folder/errors"
    case $? in
      0) echo - ;;
      1) echo "$3" ;;
      *) echo failed && cat "$folder/errors" >&2 ;;
    esac
  fi
  rm -rf "$folder"
}

hermitage() {
  local script line=
  for script in "${hermitage_scripts[@]}"; do
    line+="${line:+ }$(hermitage_one "$1" "$2" "$script")"
  done
  printf '%s\n' "$line"
}
