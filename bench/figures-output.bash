# What bench/figures makes of its cells: JSON, CSV, tables, plots and the page. Sourced.

# in_form WHAT [NAME=VALUE…]
in_form() {
  local assignments=() word
  for word in "${@:2}"; do assignments+=(-v "$word"); done
  awk -v what="$1" -v limit="$limit" "${assignments[@]}" -f "$here/figures.awk" "$out/plan.tsv" "$cells"
}

write_plan() {
  local question series x size key line under
  for line in "${plan[@]}"; do
    IFS=$'\t' read -r question series x size key <<<"$line"
    circumstances "$key"
    printf "%s\t%s\n" "$line" "$under"
  done >"$out/plan.tsv"
}

asked_now() { # NAME: is it in the plan?
  cut -f1 "$out/plan.tsv" | grep -qxF -- "$1"
}

write_table() { # NAME
  in_form "${kind_of_table[$1]}" question="$1" value="${value_of[$1]}" x_label="${x_label[$1]}" columns="${columns_of[$1]}"
}

# One file that can be read on white and on black: no background, and colours between the two.
write_plot() { # NAME
  local script=$out/$1.gnuplot height=400 count
  in_form "${kind_of_plot[$1]}" question="$1" value="${value_of[$1]}" x_label="${x_label[$1]}" title="${title[$1]}" >"$script"
  if grep -q '^# nothing' "$script"; then
    rm -f "$out/$1.svg" "$out/$1.png"
    return
  fi
  count=$(sed -n 's/^# rows //p' "$script")
  [ -z "$count" ] || height=$((110 + 22 * count))
  LC_ALL=C.UTF-8 gnuplot -e "set terminal svg size 800,$height fixed font 'sans-serif,13' name '${1//-/_}'; set output '$out/$1.svg'" "$script" 2>"$out/$1.said" &&
    LC_ALL=C.UTF-8 gnuplot -e "set terminal pngcairo transparent size 800,$height font 'sans-serif,10'; set output '$out/$1.png'" "$script" 2>>"$out/$1.said" ||
    printf 'no plot of %s: %s\n' "$1" "$(sed -n '/./{p;q}' "$out/$1.said")" >&2
  rm -f "$out/$1.said"
}

write_outputs() {
  local name
  write_plan
  in_form json >"$out/results.json"
  in_form csv >"$out/results.csv"
  : >"$out/tables.md"
  for name in "${questions[@]}"; do
    asked_now "$name" || continue
    { printf '## %s: %s\n\n' "$name" "${title[$name]}" && write_table "$name" | tee "$out/$name.md" && echo; } >>"$out/tables.md"
  done
  if command -v gnuplot >/dev/null; then
    for name in "${questions[@]}"; do
      [ "${kind_of_plot[$name]}" = none ] || ! asked_now "$name" || write_plot "$name"
    done
  else
    echo 'no plots: gnuplot is not here (Debian: gnuplot-nox)' >&2
  fi
  printf 'tables, plots and data are in %s\n' "$out" >&2
  in_form differences >"$out/differences"
  [ ! -s "$out/differences" ] || { echo 'verdicts differ:' >&2 && cat "$out/differences" >&2 && different=yes; }
}

# --- the page -----------------------------------------------------------------------------------------------

# What others measured, as it was handed down with the corpus.
peers_table() {
  local file=$KRAIT_CORPUS/peers.tsv
  [ -r "$file" ] || { echo 'The corpus that this page was written with has no `peers.tsv`.' && return; }
  awk -F'\t' '
    NR == 1 { print "| history | level | checker | seconds | MB | Krait, seconds | MB | measured |\n|---|---|---|---:|---:|---:|---:|---|"; next }
    { printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7, $8 }' "$file"
}

# of a cell of peers.tsv: HISTORY LEVEL PEER COLUMN
peer_value() {
  awk -F'\t' -v history="$1" -v level="$2" -v peer="$3" -v column="$4" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $1 == history && $2 == level && $3 == peer { print $at[column]; exit }' "$KRAIT_CORPUS/peers.tsv" 2>/dev/null
}

how_measured() {
  local quick limit memory repeats repeat_below commit=
  . "$out/settings"
  [ ! -e "$KRAIT_SRCDIR/.git" ] || commit=$(git -C "$KRAIT_SRCDIR" rev-parse --short HEAD 2>/dev/null)
  printf '%s: %s. %s%s. Each run had %d seconds by the clock and %s of memory; ' "$(date -r "$cells" +%Y-%m-%d)" "$(sed 's/, load average.*//' "$out/machine")" \
    "$("$KRAIT" --version | head -n 1 | sed 's/^k/K/')" "${commit:+, commit $commit}" "$limit" "${memory/G/ GB}"
  if [ "$repeats" -gt 1 ]; then
    printf 'medians of %d runs where one took less than %d seconds.' "$repeats" "$repeat_below"
  else
    printf 'one run of each.'
  fi
  [ "$quick" = no ] || printf ' **This is the short version of the measurements (`bench/figures --quick`): small histories, low limits.**'
  printf '\n'
}

# filled FILE: its directives replaced. Fails if a value is not there.
#   @plot NAME@, @table NAME@, @ahead NAME@, @peers@, @how@                   each on a line of its own
#   @value NAME/SERIES/X/FIELD@, @peer HISTORY/LEVEL/PEER/COLUMN@             in a text; slashes in a history are written as |
filled() {
  local line name words value complete=yes
  while IFS= read -r line; do
    while [[ $line =~ @(value|peer)\ ([^@]*)@ ]]; do
      IFS=/ read -ra words <<<"${BASH_REMATCH[2]}"
      if [ "${BASH_REMATCH[1]}" = value ]; then
        value=$(in_form value question="${words[0]}" of_series="${words[1]}" of_x="${words[2]}" value="${words[3]}")
      else
        value=$(peer_value "${words[0]//|//}" "${words[1]}" "${words[2]}" "${words[3]}")
      fi
      [ -n "$value" ] || { value='(not measured)' complete=no; }
      line=${line/"${BASH_REMATCH[0]}"/$value}
    done
    name=${line#@* } name=${name%@}
    case $line in
      @plot\ *@) [ ! -f "$out/$name.svg" ] || printf '![%s](figures/%s.svg)\n' "${title[$name]}" "$name" ;;
      @table\ *@) [ ! -f "$out/$name.md" ] || cat "$out/$name.md" ;;
      @ahead\ *@) in_form ahead question="$name" ;;
      @peers@) peers_table ;;
      @how@) how_measured ;;
      *) printf '%s\n' "$line" ;;
    esac
  done <"$1"
  [ $complete = yes ]
}

# between NAME FILE TEXT: puts the text between two comments of the file
between() {
  local text=$3
  awk -v name="$1" -v text="$text" '
    $0 == "<!-- " name " -->" { print; print text; inside = 1 }
    $0 == "<!-- end of " name " -->" { inside = 0 }
    !inside || $0 == "<!-- end of " name " -->" { if (!(inside && $0 == "<!-- " name " -->")) print }' "$2" >"$2.new" && cat "$2.new" >"$2" && rm "$2.new"
}

write_docs() {
  local name page headline
  mkdir -p "$KRAIT_SRCDIR/docs/figures"
  page=$(filled "$here/benchmarks.md.in") || echo 'docs/benchmarks.md: some values were not measured' >&2
  printf '%s\n' "$page" >"$KRAIT_SRCDIR/docs/benchmarks.md"
  for name in "${questions[@]}"; do
    [ ! -f "$out/$name.svg" ] || cp "$out/$name.svg" "$KRAIT_SRCDIR/docs/figures/"
  done
  if headline=$(filled "$here/headline.md.in"); then
    between 'headline figures' "$KRAIT_SRCDIR/README.md" "$headline"
  else
    echo 'README.md is left as it is: its figures were not all measured' >&2
  fi
}
