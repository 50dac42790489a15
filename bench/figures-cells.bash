# How bench/figures measures one cell. Sourced, after common.bash and the configuration.
#
# A cell is a line of words, its key:
#
#   check HISTORY OPTION…               krait check
#   long HISTORY OPTION…                the same, once, with the limits of long runs
#   solve SOLVER HISTORY OPTION…        krait encode --to=dimacs, and a SAT solver on what it writes
#   peer NAME LEVEL HISTORY             another checker, as `peer` of the configuration says
#   lines FILE…                         lines of code, neither blank nor comment
#
# and a HISTORY one of
#
#   made:WORKLOAD:LEVEL:TXNS[:NAME=VALUE…][:times]     krait generate, with further options
#   run:ENGINE:ISOLATION:WORKLOAD:TXNS[:NAME=VALUE…]   krait run, on a server that is started for it
#   anything else                                      a path in the corpus
#
# measure_cell KEY sets the array cell: what became of it, the fields of one line of results. A cell whose verdict is `absent` needs something that is not
# here, and is not kept.

. "$KRAIT_SRCDIR/tests/drive/servers.bash"
declare -A cell

# --- histories ----------------------------------------------------------------------------------------------

options_of() { # NAME=VALUE…: as --NAME=VALUE
  options=()
  local word
  for word; do options+=("--$word"); done
}

make_history() { # WORKLOAD LEVEL TXNS WORD…
  generate_made "$path.part" "$@" >"$work/said" 2>&1 && mv "$path.part" "$path"
}

start_engine() { # ENGINE: sets url, and fails with a reason on standard output
  case $1 in
    postgresql | mariadb)
      ! server_missing "$1" || return 1
      local running=${1}_pid address=${1}_url
      [ -n "${!running}" ] || "$1_start" || { echo "$1 does not start" && return 1; }
      url=${!address}
      ;;
    sqlite) rm -f "$servers"/figures.db* && url=sqlite:$servers/figures.db ;;
    *) rm -rf "$servers/$1" && url=$1:$servers/$1 ;;
  esac
}

run_history() { # ENGINE ISOLATION WORKLOAD TXNS NAME=VALUE…
  local url began
  [ -n "${servers:-}" ] || begin_servers
  start_engine "$1" >"$work/said" || return 1
  options_of "${@:5}"
  began=$(clock)
  # A program that stands still is ended: five minutes are far more than any of these takes.
  timeout 300 "$KRAIT" run --db="$url" --workload="$3" --isolation="$2" --txns="$4" --seed=1 "${options[@]}" --quiet --force "$path.part.jsonl" >"$work/said" 2>&1 &&
    echo $(($(clock) - began)) >"$path.took" && mv "$path.part.jsonl" "$path"
}

begin_servers() {
  servers_begin
  echo "$servers" >"$out/servers"
  trap 'servers_end; rm -f "$out/servers"; tidy' EXIT
}

# What a run that was killed left behind.
end_old_servers() {
  local old process
  [ -f "$out/servers" ] || return 0
  old=$(cat "$out/servers")
  for process in $(head -qn 1 "$old/postgresql/data/postmaster.pid" "$old/mariadb/pid" 2>/dev/null); do
    ! grep -qE "^(postgres|mariadbd)" "/proc/$process/comm" 2>/dev/null || stop_server "$process" INT
  done
  [ ! -d "$old" ] || rm -rf "$old"
  rm -f "$out/servers"
}

# The clock, in thousandths of a second.
clock() { echo $(($(date +%s%N) / 1000000)); }

# find_history HISTORY: sets path, and writes it if it is not there; fails with a reason in why.
find_history() {
  local words
  path=$work/${1//[:=\/]/-}
  IFS=: read -ra words <<<"$1"
  case $1 in
    made:*)
      path+=.krt
      # What another version of the generator wrote is written again.
      [ -f "$path" ] && [ ! "$KRAIT" -nt "$path" ] || make_history "${words[@]:1}" && return
      ;;
    run:*)
      path+=.jsonl
      [ -f "$path" ] || run_history "${words[@]:1}" && return
      ;;
    *)
      [ -n "${folder:-}" ] || folder=$("$KRAIT_SRCDIR/tests/corpus/unpack" "$KRAIT_BUILDDIR" 2>"$work/said") || { why=$(head -n 1 "$work/said") && return 1; }
      path=$folder/$1
      [ ! -e "$path" ] || return 0
      echo 'not in the corpus' >"$work/said"
      ;;
  esac
  rm -rf "$path.part"*
  why=$(sed -n '/./{p;q}' "$work/said")
  return 1
}

# What is larger than a gigabyte is not kept longer than it is used.
forget_large() { # PATH
  [ ! -f "$1" ] || [ "$(stat -c %s "$1")" -lt 1000000000 ] || rm -f "$1"
}

# --- measuring ----------------------------------------------------------------------------------------------

bytes_of() { # 8G
  local number=${1%[KMG]}
  case $1 in *K) number=$((number << 10)) ;; *M) number=$((number << 20)) ;; *G) number=$((number << 30)) ;; esac
  echo "$number"
}

# measured_from MEMORY OUTPUT SECONDS COMMAND…: what it cost is in $work/cost then. In the background, because a signal is looked at only between commands that the script
# waits for.
measured_from() {
  "$measure" --memory="$1" --output="$2" "$3" "${@:4}" >"$work/cost" &
  wait $! || die "cannot run $measure"
}

# repeatedly MEMORY COMMAND…: as often as the configuration says. Sets the fields user, system and wall (those of the run with the median of both first, in
# seconds), bytes (the largest), code and runs; what that run wrote is in $work/said.
repeatedly() {
  local i runs=() words largest=0 chosen
  for ((i = 0; i < repeats; i++)); do
    measured_from "$1" "$work/said.$i" $((limit + ${grace:-0})) "${@:2}"
    read -ra words <"$work/cost"
    runs+=("$(($(thousandths "${words[0]}") + $(thousandths "${words[1]}"))) ${words[*]:0:5} $i")
    [ "${words[3]}" -le $largest ] || largest=${words[3]}
    spent=$((spent + $(thousandths "${words[2]}")))
    [ "$(thousandths "${words[2]}")" -lt $((1000 * repeat_below)) ] && [ "${words[4]}" -lt 128 ] || break
  done
  chosen=$(printf '%s\n' "${runs[@]}" | sort -n | sed -n "$((${#runs[@]} / 2 + 1))p")
  read -ra words <<<"${chosen#* }"
  cell[user]=${words[0]} cell[system]=${words[1]} cell[wall]=${words[2]} cell[bytes]=$largest cell[code]=${words[4]} cell[runs]=${#runs[@]}
  mv "$work/said.${words[5]}" "$work/said" && rm -f "$work"/said.[0-9]*
}

# after_limits: true if one was reached, from outside; sets verdict and reason then.
after_limits() {
  case ${cell[code]} in
    142) cell[reason]="$limit s" ;;
    137) cell[reason]="$memory" ;;
    *) return 1 ;;
  esac
  cell[verdict]=unknown
}

failed() { # for what reason, by default the first line that it wrote
  cell[verdict]=failed cell[reason]=${1:-$(sed -n '/./{s/^krait: *//;p;q}' "$work/said")}
}

# Fields of `krait check --json`, found by their names, which a string cannot contain without backslashes.
read_report() {
  local name value
  while read -r name value; do
    [ -z "$value" ] || cell[$name]=$value
  done < <(grep -a '^{"schema"' "$work/said" | awk '
    function number (name, from) { return match($0, from "\"" name "\":[0-9.]+") ? substr($0, RSTART + length(from) + length(name) + 3, RLENGTH - length(from) - length(name) - 3) : "" }
    function text (name) { return match($0, "\"" name "\":\"[^\"]*\"") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5) : "" }
    {
      split("transactions sessions operations keys parse lower saturate encode solve explain total variables conflicts decisions afterSaturation", names, " ")
      for (i in names) print names[i], number(names[i], "")
      print "initial", number("initial", "\"superpositions\":{")
      split("verdict level anomaly anomalyName byLevel reason", words, " ")
      for (i in words) print words[i], text(words[i])
      if (match($0, /"core":\[[^]]*\]/)) print "core", (RLENGTH == 9) ? 0 : split(substr($0, RSTART, RLENGTH), parts, ",")
    }')
}

measure_check() { # HISTORY OPTION…
  local grace=5 # it keeps its limits itself
  repeatedly $(($(bytes_of "$memory") * 11 / 10)) "$KRAIT" check --json --timeout="$limit" --memory="$memory" "${@:2}" "$path"
  after_limits && return
  read_report
  case ${cell[code]}:${cell[verdict]:-} in
    0:valid | 1:invalid) [ ! -f "$path.took" ] || cell[recorded]=$(seconds "$(cat "$path.took")") ;;
    3:unknown)
      case ${cell[reason]:-} in
        time*) cell[reason]="$limit s" ;;
        memory*) cell[reason]=$memory ;;
      esac
      ;;
    *) failed ;;
  esac
}

measure_long() { # HISTORY OPTION…
  local limit=$long_limit memory=$long_memory repeats=1
  measure_check "$@"
}

# Exit codes are those of the competitions: 10 and 20. What the history makes of it is the other way round nowhere: a model is an execution.
measure_solve() { # SOLVER HISTORY OPTION…
  local command began
  "$KRAIT" encode --help | grep -q dimacs || { cell[verdict]=absent cell[reason]="krait encode has no --to=dimacs" && return; }
  read -ra command <<<"${solvers[$1]}"
  command -v "${command[0]}" >/dev/null || { cell[verdict]=absent cell[reason]="no ${command[0]} here" && return; }
  began=$(clock)
  measured_from "$(bytes_of "$memory")" "$work/said" "$limit" "$KRAIT" encode --to=dimacs --force "${@:3}" "$path" "$work/problem.cnf"
  read -r cell[encode] _ _ _ cell[code] _ <"$work/cost"
  spent=$((spent + $(clock) - began))
  after_limits && return
  [ "${cell[code]}" -eq 0 ] || { failed && return; }
  read -r _ _ cell[variables] cell[clauses] < <(grep -m 1 '^p cnf ' "$work/problem.cnf")
  repeatedly "$(bytes_of "$memory")" "${command[@]}" "$work/problem.cnf"
  rm -f "$work/problem.cnf"
  case ${cell[code]} in
    10) cell[verdict]=valid ;;
    20) cell[verdict]=invalid ;;
    *) after_limits || failed "exit code ${cell[code]}" ;;
  esac
}

# The converted history is kept in $work as long as the history itself; a format that cannot hold it is the reason why the cell is absent.
measure_peer() { # NAME LEVEL HISTORY
  local command said=$work/said converted level=${peer_levels[$1:$2]:-}
  [ -n "${!peer_variable[$1]:-}" ] || { cell[verdict]=absent cell[reason]="${peer_variable[$1]} is not set" && return; }
  [ -n "$level" ] || { cell[verdict]=absent cell[reason]="$1 has no $2" && return; }
  converted=$path.${peer_format[$1]}
  [ -e "$converted" ] && [ ! "$path" -nt "$converted" ] || "$KRAIT" convert --to="${peer_format[$1]}" --force "$path" "$converted" >"$said" 2>&1 ||
    { failed "$(sed -n '/./{s/^krait: *//;p;q}' "$said")" && return; }
  command=${peer_command[$1]//'{level}'/$level}
  read -ra command <<<"$command"
  local program i
  read -ra program <<<"${!peer_variable[$1]}"
  for ((i = 0; i < ${#command[@]}; i++)); do command[i]=${command[i]//'{history}'/$converted}; done
  repeatedly "$(bytes_of "$memory")" "${program[@]}" "${command[@]}"
  after_limits && return
  if grep -qaE -- "${peer_valid[$1]}" "$said"; then
    cell[verdict]=valid
  elif grep -qaE -- "${peer_invalid[$1]}" "$said"; then
    cell[verdict]=invalid
  else
    failed "exit code ${cell[code]}, and no verdict"
  fi
}

measure_lines() { # FILE…
  local files=() pattern
  for pattern; do
    # shellcheck disable=SC2206
    files+=("$KRAIT_SRCDIR"/$pattern)
  done
  cell[lines]=$(cat "${files[@]}" 2>/dev/null | grep -cvE '^[[:space:]]*(//.*)?$')
  cell[verdict]=counted
  [ "${cell[lines]}" -gt 0 ] || cell[verdict]=absent cell[reason]='no such file'
}

measure_cell() { # KEY
  local words history began
  cell=() spent=0
  read -ra words <<<"$1"
  history=$(history_of "$1")
  began=$(clock)
  if [ -n "$history" ] && ! find_history "$history"; then
    cell[verdict]=absent cell[reason]=$why
    return
  fi
  spent=$(($(clock) - began))
  "measure_${words[0]}" "${words[@]:1}"
  cell[spent]=$(seconds "$spent")
}

history_of() { # KEY
  local words
  read -ra words <<<"$1"
  case ${words[0]} in
    check | long) echo "${words[1]}" ;;
    solve) echo "${words[2]}" ;;
    peer) echo "${words[3]}" ;;
  esac
}
