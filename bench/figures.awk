# What bench/figures knows, in other forms. Reads the plan (QUESTION SERIES X SIZE KEY CIRCUMSTANCES, with tabs between them) and then cells.jsonl.
#
#   what=json|csv       all cells
#   what=grid|list      a table of `question`: a row for each X and a column for each series; a line for each cell, with `columns`
#   what=lines|bars|rows|phases|points   a script for gnuplot
#   what=value          the number of one cell: series, x, field
#   what=ahead          where the first series of `question` is not the fastest
#   what=differences    cells about one history and level whose verdicts differ: somebody is wrong
#
# -v value=seconds|mb|lines, x_label=, limit=, title=

BEGIN {
  FS = "\t"
  names_of_fields = "verdict reason user system wall bytes runs transactions sessions operations keys initial afterSaturation parse lower saturate solve explain total " \
    "variables clauses conflicts decisions encode core anomaly anomalyName level byLevel recorded lines code date"
  fields = split(names_of_fields, field_names, " ")
  numbers = " user system wall bytes runs transactions sessions operations keys initial afterSaturation parse lower saturate solve explain total variables clauses conflicts decisions encode core recorded lines code "
}

FNR == 1 { file++ }

file == 1 {
  if (question != "" && $1 != question) next
  rows++
  asked[rows] = $1; series[rows] = $2; x[rows] = ($3 == "-" ? "" : $3); size[rows] = $4; key[rows] = $5; under[rows] = $6
  wanted[$5] = $6
  next
}

/^{.*}$/ {
  line = $0
  split("", found)
  while (match(line, /"[A-Za-z]+":"[^"]*"/)) {
    pair = substr(line, RSTART + 1, RLENGTH - 2)
    line = substr(line, RSTART + RLENGTH)
    colon = index(pair, "\":\"")
    found[substr(pair, 1, colon - 1)] = substr(pair, colon + 3)
  }
  if (!(found["key"] in wanted)) next
  fits = (found["under"] == wanted[found["key"]])
  if (!fits && !(found["under"] == "absent" && !((found["key"], "verdict") in of))) next
  for (i = 1; i <= fields; i++) of[found["key"], field_names[i]] = found[field_names[i]]
}

END {
  if (what == "json") json()
  else if (what == "csv") csv()
  else if (what == "grid") grid()
  else if (what == "list") list()
  else if (what == "value") one_value()
  else if (what == "ahead") ahead()
  else if (what == "differences") differences()
  else plot()
}

function get(row, name) { return of[key[row], name] }

function verdict(row) { return ((key[row], "verdict") in of) ? get(row, "verdict") : "missing" }

# --- numbers in words ---------------------------------------------------------------------------------------

function seconds(number) {
  if (number < 0.1) return sprintf("%.3f", number)
  if (number < 10) return sprintf("%.2f", number)
  return sprintf("%.1f", number)
}

function grouped(number,   text) {
  text = sprintf("%d", number)
  while (match(text, /[0-9][0-9][0-9][0-9]($|,)/)) text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
  return text
}

# The number of a row that is shown, as measured: empty if there is none.
function measured(row, what_value,   said) {
  said = verdict(row)
  if (said != "valid" && said != "invalid" && said != "counted") return ""
  if (what_value == "mb") return get(row, "bytes") / 1000000
  if (what_value == "lines") return get(row, "lines")
  if (what_value == "seconds") return get(row, "user") + get(row, "system")
  return get(row, what_value)
}

function reached_limit(row) { return verdict(row) == "unknown" && get(row, "reason") ~ /^[0-9]+ s$|^[0-9]+[KMG]$/ }

function in_words(row, what_value,   said, reason, number) {
  said = verdict(row)
  reason = get(row, "reason")
  number = measured(row, what_value)
  if (said == "counted") return grouped(number)
  if (said == "valid" || said == "invalid") return (what_value == "mb" ? sprintf("%d", number + 0.5) : seconds(number))
  if (said == "missing") return "not measured"
  if (said == "absent") return "not here"
  if (reached_limit(row)) return "> " reason
  if (reason ~ /^not tried/) return "not tried"
  if (said == "unknown") return "refused"
  return said
}

# --- all cells ----------------------------------------------------------------------------------------------

function quoted(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  return "\"" text "\""
}

function json(   i, j, value) {
  printf "["
  for (i = 1; i <= rows; i++) {
    printf "%s\n{\"question\":%s,\"series\":%s,\"x\":%s,\"size\":%d,\"cell\":%s,\"verdict\":%s", (i > 1 ? "," : ""), quoted(asked[i]), quoted(series[i]), quoted(x[i]), size[i],
      quoted(key[i]), quoted(verdict(i))
    for (j = 2; j <= fields; j++) {
      value = get(i, field_names[j])
      if (value != "") printf ",%s:%s", quoted(field_names[j]), (index(numbers, " " field_names[j] " ") ? value + 0 : quoted(value))
    }
    printf "}"
  }
  printf "\n]\n"
}

function comma(text) {
  if (text !~ /[",]/) return text
  gsub(/"/, "\"\"", text)
  return "\"" text "\""
}

function csv(   i, j) {
  printf "question,series,x,size,cell"
  for (j = 1; j <= fields; j++) printf ",%s", field_names[j]
  printf "\n"
  for (i = 1; i <= rows; i++) {
    printf "%s,%s,%s,%d,%s,%s", comma(asked[i]), comma(series[i]), comma(x[i]), size[i], comma(key[i]), verdict(i)
    for (j = 2; j <= fields; j++) printf ",%s", comma(get(i, field_names[j]))
    printf "\n"
  }
}

# --- tables -------------------------------------------------------------------------------------------------

# Sets all_series, all_x and row_at[series, x], in the order of the plan; numbers in their own order.
function arrange(   i, j, swap) {
  for (i = 1; i <= rows; i++) {
    if (!(series[i] in series_seen)) { series_seen[series[i]] = ++series_count; all_series[series_count] = series[i] }
    if (!(x[i] in x_seen)) { x_seen[x[i]] = ++x_count; all_x[x_count] = x[i] }
    row_at[series[i], x[i]] = i
  }
  for (i = 2; i <= x_count; i++)
    for (j = i; j > 1 && all_x[j] ~ /^[0-9]+$/ && all_x[j - 1] ~ /^[0-9]+$/ && all_x[j] + 0 < all_x[j - 1] + 0; j--) {
      swap = all_x[j]; all_x[j] = all_x[j - 1]; all_x[j - 1] = swap
    }
}

function label(text) { return text ~ /^[0-9]+$/ ? grouped(text) : text }

function nothing_here(   i) {
  for (i = 1; i <= rows; i++) if (verdict(i) != "absent") return 0
  printf "Nothing of this could be measured here: %s.\n", get(1, "reason")
  return 1
}

# A series of which nothing is here at all has no column: other people's checkers that are not configured.
function absent_series(name,   i) {
  for (i = 1; i <= rows; i++) if (series[i] == name && verdict(i) != "absent") return 0
  return 1
}

function grid(   i, j, row) {
  arrange()
  if (nothing_here()) return
  printf "| %s |", x_label
  for (j = 1; j <= series_count; j++) if (!absent_series(all_series[j])) printf " %s |", all_series[j]
  printf "\n|---|"
  for (j = 1; j <= series_count; j++) if (!absent_series(all_series[j])) printf "---:|"
  printf "\n"
  for (i = 1; i <= x_count; i++) {
    printf "| %s |", label(all_x[i])
    for (j = 1; j <= series_count; j++) {
      if (absent_series(all_series[j])) continue
      row = row_at[all_series[j], all_x[i]]
      printf " %s |", (row ? in_words(row, value) : "")
    }
    printf "\n"
  }
}

# columns: FIELD:LABEL,…; series, x, seconds, mb and phases as they are elsewhere.
function column(row, name,   text) {
  if (name == "series") return series[row]
  if (name == "x") return label(x[row])
  if (name == "verdict") return verdict(row)
  if (name == "seconds" || name == "mb" || name == "lines") return in_words(row, name)
  if (name == "anomaly") return get(row, "anomaly") (get(row, "anomalyName") != "" ? " (" get(row, "anomalyName") ")" : "")
  text = get(row, name)
  # who reached a limit tells nothing of what it counted
  if (text == "" || (reached_limit(row) && text + 0 == 0)) return ""
  if (index(" parse lower saturate solve explain total encode wall recorded ", " " name " ")) return seconds(text)
  return text ~ /^[0-9]+$/ ? grouped(text) : text
}

function list(   parts, count, i, j, name, names, labels) {
  if (nothing_here()) return
  count = split(columns, parts, ",")
  for (j = 1; j <= count; j++) {
    names[j] = labels[j] = parts[j]
    sub(/:.*/, "", names[j])
    sub(/^[^:]*:/, "", labels[j])
    printf "| %s ", labels[j]
  }
  printf "|\n"
  for (j = 1; j <= count; j++) printf (names[j] ~ /^(series|x|verdict|anomaly|level|byLevel|reason)$/ ? "|---" : "|---:")
  printf "|\n"
  for (i = 1; i <= rows; i++) {
    if (verdict(i) == "absent") continue
    for (j = 1; j <= count; j++) printf "| %s ", column(i, names[j])
    printf "|\n"
  }
}

function one_value(   i, number) {
  for (i = 1; i <= rows; i++)
    if (series[i] == of_series && x[i] == of_x) {
      number = measured(i, value)
      if (number == "") continue
      if (value == "mb") printf "%d", number + 0.5
      else if (number ~ /^[0-9]+$/) printf "%s", grouped(number)
      else printf "%s", seconds(number)
      return
    }
}

# Where is the first series not the fastest of its row, with all steps and bare? A difference of a tenth, or of twenty thousandths of a second, is none.
function ahead() {
  arrange()
  ahead_of("")
  ahead_of(", bare")
}

function ahead_of(suffix,   i, j, row, own_row, own, other, names, level, asked_rows, behind) {
  for (i = 1; i <= x_count; i++) {
    own_row = row_at[all_series[1] suffix, all_x[i]]
    if (!own_row || verdict(own_row) == "missing" || get(own_row, "reason") ~ /^not tried/) continue
    asked_rows++
    own = measured(own_row, "seconds")
    names = ""
    for (j = 2; j <= series_count; j++) {
      row = row_at[all_series[j], all_x[i]]
      if (!row || is_bare(all_series[j]) != (suffix != "") || base(all_series[j]) == all_series[1]) continue
      other = measured(row, "seconds")
      if (other != "" && (own == "" || (own > other * 1.1 && own > other + 0.02)))
        names = names (names == "" ? "" : ", ") base(all_series[j]) " with " seconds(other) " s against " (own == "" ? in_words(own_row, "seconds") : seconds(own) " s")
    }
    if (names == "") level++
    else behind = behind "; " label(all_x[i]) ": " names
  }
  if (!asked_rows) return
  printf "With `%s%s` compared to the others%s: none of them is faster by more than a tenth and 20 ms in %d of %d rows", all_series[1], suffix, (suffix == "" ? "" : ", bare as well"), level, asked_rows
  printf (behind == "" ? ".\n" : "; where one is:" substr(behind, 2) ".\n")
}

# Krait itself with all its encodings and steps, and other checkers, on one history at one level.
function subject(row,   words, count, i, level, dialect) {
  count = split(key[row], words, " ")
  if (words[1] == "peer") return words[4] " " words[3]
  if (words[1] != "check" && words[1] != "long") return ""
  for (i = 3; i <= count; i++) {
    if (words[i] ~ /^--level=/) level = substr(words[i], 9)
    if (words[i] ~ /^--dialect=/) dialect = " " words[i]
  }
  return words[2] " " level dialect
}

function differences(   i, about) {
  for (i = 1; i <= rows; i++) {
    about = subject(i)
    if (about == "" || (verdict(i) != "valid" && verdict(i) != "invalid")) continue
    if (!(about in said_of)) {
      said_of[about] = verdict(i)
      said_by[about] = asked[i] ", " series[i]
    } else if (said_of[about] != verdict(i))
      print about ": " said_of[about] " (" said_by[about] "), but " verdict(i) " (" asked[i] ", " series[i] ")"
  }
}

# --- plots --------------------------------------------------------------------------------------------------

# What is bare has the colour of what is not.
function base(name) {
  sub(/, bare$/, "", name)
  return name
}

function is_bare(name) { return name ~ /, bare$/ }

function colour_of(name) {
  if (!(base(name) in colour_number)) colour_number[base(name)] = ++colour_count
  return colour(colour_number[base(name)])
}

function bar_colour(name) { return is_bare(name) ? "#90" substr(colour_of(name), 2) : colour_of(name) }

# Colours that are told apart on white and on black; text in grey that can be read on both.
function colour(number) {
  split("#3b82d0 #d0701c #2f9550 #9467c8 #d04848 #1f8f96 #c8578f #94703c #7d8590", colours, " ")
  return colours[(number - 1) % 9 + 1]
}

function escaped(text) {
  gsub(/"/, "\\\"", text)
  gsub(/_/, "\\\\_", text)
  return text
}

function head(y_label) {
  print "set encoding utf8"
  print "ink = '#6e7781'"
  print "set border 3 lc rgb ink lw 1"
  print "set grid lc rgb '#B06e7781' lt 1 lw 0.5"
  print "set tics nomirror textcolor rgb ink"
  print "set key textcolor rgb ink below horizontal Left reverse samplen 2"
  print "set title \"" escaped(title) "\" textcolor rgb ink"
  print "set ylabel \"" y_label "\" textcolor rgb ink"
  print "set xlabel \"" escaped(x_label) "\\n\" textcolor rgb ink offset 0,0.4" # the empty line: the key comes close otherwise
  print "set datafile missing '-'"
}

function short_number(number) { return (number >= 1000000) ? number / 1000000 "M" : (number >= 1000) ? number / 1000 "k" : number + 0 }

function unit() { return value == "mb" ? "MB" : value == "lines" ? "lines" : "seconds of processor time" }

# The limit of long runs is another one.
function limit_reached(row) { return get(row, "reason") ~ / s$/ ? get(row, "reason") + 0 : limit }

# What reached the limit stands on it.
function height(row) {
  if (reached_limit(row)) return (value == "seconds") ? limit_reached(row) : "-"
  return measured(row, value) == "" ? "-" : measured(row, value) + 0
}

function limit_line(   i) {
  if (value != "seconds") return 0
  for (i = 1; i <= rows; i++) if (reached_limit(i)) return limit_reached(i)
  return 0
}

function plot() {
  arrange()
  if (what == "lines") plot_lines()
  else if (what == "points") plot_points()
  else if (what == "bars") plot_bars()
  else if (what == "phases") plot_phases()
  else plot_rows()
}

function has_points(name,   i) {
  for (i = 1; i <= rows; i++) if (series[i] == name && height(i) != "-") return 1
  return 0
}

# Curves over X, both axes logarithmic; a hollow triangle where the limit was reached.
function plot_lines(   i, j, row, drawn, low, high) {
  head(unit())
  print "set logscale xy"
  printf "set xtics ("
  for (i = 1; i <= x_count; i++) {
    if (!low || all_x[i] + 0 < low) low = all_x[i] + 0
    if (all_x[i] + 0 > high) high = all_x[i] + 0
    printf "%s\"%s\" %d", (i > 1 ? ", " : ""), short_number(all_x[i]), all_x[i]
  }
  print ")"
  printf "set xrange [%g:%g]\n", low * 0.85, high * 1.18
  print (value == "seconds" ? "set format y '%g'" : "set format y '%.0f'")
  for (j = 1; j <= series_count; j++) {
    if (!has_points(all_series[j])) continue
    printf "$series%d << EOD\n", j
    for (i = 1; i <= x_count; i++) {
      row = row_at[all_series[j], all_x[i]]
      if (row && height(row) != "-") print all_x[i], (height(row) > 0.001 || value != "seconds" ? height(row) : 0.001), reached_limit(row)
    }
    print "EOD"
  }
  printf "plot "
  for (j = 1; j <= series_count; j++) {
    if (!has_points(all_series[j])) continue
    printf "%s$series%d using 1:2 with linespoints lw 2 pt %d ps 0.7 dt %d lc rgb '%s' title \"%s\"", (drawn++ ? ", " : ""), j, substr("579", j % 3 + 1, 1), (is_bare(all_series[j]) ? 2 : 1),
      colour_of(all_series[j]), escaped(all_series[j])
    printf ", $series%d using 1:($3 > 0 ? $2 : 1/0) with points pt 8 ps 1.8 lw 2 lc rgb '%s' notitle", j, colour_of(all_series[j])
  }
  if (limit_line()) printf ", %d with lines dt 2 lw 1.5 lc rgb ink title \"limit, %d s\"", limit_line(), limit_line()
  print drawn ? "" : "\n# nothing"
}

# Time over the choices there were at first.
function plot_points(   i, j, drawn) {
  head(unit())
  print "set logscale xy"
  print "set format x '10^{%L}'"
  for (j = 1; j <= series_count; j++) {
    printf "$series%d << EOD\n", j
    for (i = 1; i <= rows; i++) if (series[i] == all_series[j] && height(i) != "-" && get(i, "initial") > 0) print get(i, "initial"), height(i)
    print "EOD"
  }
  printf "plot "
  for (j = 1; j <= series_count; j++)
    if (has_points(all_series[j]))
      printf "%s$series%d using 1:2 with points pt %d ps 0.8 lc rgb '%s' title \"%s\"", (drawn++ ? ", " : ""), j, substr("579", j % 3 + 1, 1), colour_of(all_series[j]), escaped(all_series[j])
  print drawn ? "" : "\n# nothing"
}

function smallest(   i, least) {
  least = limit
  for (i = 1; i <= rows; i++) if (height(i) != "-" && height(i) > 0 && height(i) < least) least = height(i)
  return least / 2
}

# Groups of bars, one for each X.
function plot_bars(   i, j, row, drawn) {
  head(unit())
  print "set style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9 noborder\nset boxwidth 0.9"
  if (value == "seconds") printf "set logscale y\nset yrange [%g:*]\nset format y '%%g'\n", smallest()
  else print "set yrange [0:*]"
  print "unset xlabel"
  if (x_count > 5) print "set xtics rotate by -30"
  print "$data << EOD"
  for (i = 1; i <= x_count; i++) {
    printf "\"%s\"", escaped(label(all_x[i]))
    for (j = 1; j <= series_count; j++) {
      row = row_at[all_series[j], all_x[i]]
      printf " %s", (row ? height(row) : "-")
    }
    printf "\n"
  }
  print "EOD"
  printf "plot "
  for (j = 1; j <= series_count; j++)
    if (has_points(all_series[j])) printf "%s$data using %d:xtic(1) lc rgb '%s' title \"%s\"", (drawn++ ? ", " : ""), j + 1, bar_colour(all_series[j]), escaped(all_series[j])
  if (limit_line()) printf ", %d with lines dt 2 lw 1.5 lc rgb ink title \"limit, %d s\"", limit_line(), limit_line()
  print drawn ? "" : "\n# nothing"
}

# Phases of each cell side by side: on a logarithmic scale a stack would say nothing.
function plot_phases(   i, j, names, count, drawn, number) {
  count = split("parse lower saturate encode solve", names, " ")
  head("seconds by the clock")
  print "set style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9 noborder\nset boxwidth 0.9\nset logscale y\nset yrange [0.0005:*]\nset format y '%g'\nset xtics rotate by -30\nset rmargin 10\nunset xlabel"
  print "$data << EOD"
  for (i = 1; i <= rows; i++) {
    printf "\"%s\"", escaped(series[i])
    for (j = 1; j <= count; j++) {
      number = get(i, names[j])
      printf " %s", (number == "" ? (reached_limit(i) && names[j] == "solve" ? limit : "-") : (number > 0.0005 ? number : 0.0005))
    }
    printf "\n"
  }
  print "EOD"
  printf "plot "
  for (j = 1; j <= count; j++) printf "%s$data using %d:xtic(1) lc rgb '%s' title \"%s\"", (drawn++ ? ", " : ""), j + 1, colour(j), (names[j] == "lower" ? "build" : names[j])
  print ""
}

# A bar for each cell, from left to right, with its name beside it.
function plot_rows(   i, count) {
  for (i = 1; i <= rows; i++) if (height(i) != "-") count++
  head("")
  if (!count) print "# nothing"
  print "# rows " count
  print "set xlabel \"" unit() "\" textcolor rgb ink\nunset ylabel\nunset key\nset style fill solid 0.9 noborder\nset grid noytics xtics"
  if (value == "seconds") printf "set logscale x\nset xrange [%g:*]\nset format x '%%g'\n", (least = smallest())
  else print "set xrange [0:*]"
  printf "set yrange [%d.5:-0.5]\n", count - 1
  print "$data << EOD"
  count = 0
  for (i = 1; i <= rows; i++)
    if (height(i) != "-") printf "%d %s \"%s\" %d\n", count++, height(i), escaped(series[i] (x[i] == "" ? "" : ", " label(x[i]))), series_seen[series[i]]
  print "EOD"
  printf "plot $data using 2:1:(%g):2:($1-0.35):($1+0.35):ytic(3) with boxxyerror lc rgb '%s'\n", (value == "seconds" ? least : 0), colour(1)
}
