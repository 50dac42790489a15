# What bench/run, bench/ablation and bench/reject share: where things are, histories by name, one measured run. Sourced.

KRAIT_SRCDIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -z "${KRAIT_BUILDDIR:-}" ]; then
  KRAIT_BUILDDIR=$KRAIT_SRCDIR/build
  [ ! -f config.status ] || KRAIT_BUILDDIR=$PWD
fi
: "${KRAIT:=$KRAIT_BUILDDIR/krait}"
: "${KRAIT_CORPUS:=$KRAIT_SRCDIR/../shared/data}"
export KRAIT_SRCDIR KRAIT_BUILDDIR KRAIT_CORPUS
measure=$KRAIT_BUILDDIR/bench/measure
limit=300 repeat=1 most_memory=12000000000 # bytes: what takes more would take the machine with it

die() {
  printf '%s: %s\n' "$0" "$*" >&2
  exit 2
}

# Sets folder, for histories of the corpus.
find_corpus() {
  [ -n "${folder:-}" ] || folder=$("$KRAIT_SRCDIR/tests/corpus/unpack" "$KRAIT_BUILDDIR" 2>&1) || die "$folder"
}

# BlindW, written one session after the other; without times, nothing of the true order is given away. Behind it: --txns=N, --no-times or not, the path.
generator=("$KRAIT" generate --workload=blindw --level=serializable --seed=1 --group-by-session --to=krt --force --quiet)

# generate_made PATH WORKLOAD LEVEL TXNS WORD…: krait generate with further options, each NAME=VALUE; written session by session, and without times unless a WORD is `times`.
generate_made() {
  local options=() times=--no-times word
  for word in "${@:5}"; do
    if [ "$word" = times ]; then times=; else options+=("--$word"); fi
  done
  "$KRAIT" generate --workload="$2" --level="$3" --txns="$4" --seed=1 --group-by-session --to=krt --force --quiet ${times:+"$times"} "${options[@]}" "$1"
}

# locate NAME: sets path, and timed to the same history with times, if there is one; writes both if they can be written here.
locate() {
  local txns=${1#*:}
  timed=
  case $1 in
    blindw:*)
      path=$KRAIT_BUILDDIR/bench/blindw-$txns.krt timed=$KRAIT_BUILDDIR/bench/blindw-$txns-timed.krt
      if [ ! -f "$timed" ] || [ "$KRAIT" -nt "$timed" ]; then
        "${generator[@]}" "--txns=$txns" --no-times "$path" && "${generator[@]}" "--txns=$txns" "$timed" || die "cannot write $path"
      fi
      ;;
    made:*) # made:WORKLOAD:LEVEL:TXNS[:NAME=VALUE…][:times]
      local words
      IFS=: read -ra words <<<"$1"
      path=$KRAIT_BUILDDIR/bench/${1//[:=]/-}.made
      if [ ! -f "$path" ] || [ "$KRAIT" -nt "$path" ]; then
        generate_made "$path" "${words[@]:1}" || die "cannot write $path"
      fi
      ;;
    store:*) # store:WORKLOAD:LEVEL:TXNS
      local workload store
      IFS=: read -r workload store txns <<<"$txns"
      path=$KRAIT_BUILDDIR/bench/$workload-$store-$txns.krt
      if [ ! -f "$path" ] || [ "$KRAIT" -nt "$path" ]; then
        "$KRAIT" generate --workload="$workload" --level="$store" --txns="$txns" --sessions=24 --keys=10000 --seed=1 --no-times \
          --group-by-session --to=krt --force --quiet "$path" || die "cannot write $path"
      fi
      ;;
    *)
      find_corpus
      path=$folder/$1
      [ -e "$path" ] || die "no such history in the corpus: $1"
      ;;
  esac
}

# section NAME: the entries of a part of `krait generate --help`, one per line: words, a tab, the text below them.
section() {
  "$KRAIT" generate --help | awk -v name="$1" '
    $0 ~ "^" name { inside = 1; next }
    inside && /^[^ ]*$/ { exit }
    inside && /^  [^ ]/ { if (entry) print entry; entry = $0; sub (/^ +/, "", entry); entry = entry "\t"; next }
    inside { sub (/^ +/, ""); entry = entry " " $0 }
    END { if (entry) print entry }'
}

# The levels that there are.
level_names() { "$KRAIT" levels | sed -n '2,/^$/s/^\([a-z-]*\) .*/\1/p'; }

# run_repeatedly COMMAND…: $repeat times, or until one takes longer than the limit. Sets user, processor and wall (medians of user time, of user and system time, and of time
# by the clock, in thousandths of a second), bytes (the largest), and the exit code and the first word, which must not differ.
run_repeatedly() {
  local users=() processors=() walls=() line words i
  bytes=0 code= word=
  for ((i = 0; i < repeat; i++)); do
    line=$("$measure" --memory=$most_memory $limit "$@" 2>/dev/null) || die "cannot run $measure"
    read -ra words <<<"$line"
    [ $i -eq 0 ] || [ "$code $word" = "${words[4]} ${words[5]}" ] || die "$code $word, then ${words[4]} ${words[5]}: $*"
    code=${words[4]} word=${words[5]}
    users+=($((10#${words[0]/./})))
    processors+=($((10#${words[0]/./} + 10#${words[1]/./})))
    walls+=($((10#${words[2]/./})))
    [ "${words[3]}" -le $bytes ] || bytes=${words[3]}
    [ "$code" -ne 142 ] && [ "$code" -ne 137 ] || break
  done
  user=$(median "${users[@]}") processor=$(median "${processors[@]}") wall=$(median "${walls[@]}")
}

median() { printf '%s\n' "$@" | sort -n | sed -n "$(($# / 2 + 1))p"; }

# run_measured PATH OPTION…: krait check. Sets what run_repeatedly does, and the verdict; an empty verdict: no answer within the limits.
run_measured() {
  run_repeatedly "$KRAIT" check --quiet "${@:2}" "$1"
  case $code:$word in
    0:valid | 1:invalid | 3:unknown) verdict=$word ;;
    142:* | 137:*) verdict= ;;
    *) die "exit code $code: krait check ${*:2} $1" ;;
  esac
}

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

# The number of thousandths that a decimal number has.
thousandths() {
  local whole=${1%%.*} fraction=000
  [ "$1" = "$whole" ] || fraction=${1#*.}000
  echo $((10#$whole * 1000 + 10#${fraction:0:3}))
}

load() { cut -d' ' -f1 /proc/loadavg; }

# machine: one line for the record.
machine() {
  printf '%s, %s processors, load average %s, %s\n' \
    "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(load)" "$("$KRAIT" --version | head -n 1)"
}

[ -x "$KRAIT" ] && [ -x "$measure" ] || die "no krait or bench/measure in $KRAIT_BUILDDIR: build first, or run it there"
