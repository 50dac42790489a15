# What bench/run and bench/ablation share: where things are, histories by name, one measured run. Sourced.

KRAIT_SRCDIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -z "${KRAIT_BUILDDIR:-}" ]; then
  KRAIT_BUILDDIR=$KRAIT_SRCDIR/build
  [ ! -f config.status ] || KRAIT_BUILDDIR=$PWD
fi
: "${KRAIT:=$KRAIT_BUILDDIR/krait}"
: "${KRAIT_CORPUS:=$KRAIT_SRCDIR/../shared/data}"
export KRAIT_SRCDIR KRAIT_BUILDDIR KRAIT_CORPUS
measure=$KRAIT_BUILDDIR/bench/measure
limit=300 repeat=1

die() {
  printf '%s: %s\n' "$0" "$*" >&2
  exit 2
}

# Sets folder, for histories of the corpus.
find_corpus() {
  [ -n "${folder:-}" ] || folder=$("$KRAIT_SRCDIR/tests/corpus/unpack" "$KRAIT_BUILDDIR" 2>&1) || die "$folder"
}

# locate NAME: sets path; writes the history if it can be written here.
locate() {
  case $1 in
    blindw:*)
      path=$KRAIT_BUILDDIR/bench/blindw-${1#*:}.krt
      if [ ! -f "$path" ] || [ "$KRAIT_BUILDDIR/bench/blindw" -nt "$path" ]; then
        "$KRAIT_BUILDDIR/bench/blindw" "${1#*:}" 1 "$path" || die "cannot write $path"
      fi
      ;;
    *)
      find_corpus
      path=$folder/$1
      [ -e "$path" ] || die "no such history in the corpus: $1"
      ;;
  esac
}

# run_measured OPTION…: krait check on $path, $repeat times. Sets user (the median, in thousandths of a second), bytes (the largest) and verdict; an empty verdict: no
# answer within the limit.
run_measured() {
  local times=() line words i
  bytes=0
  for ((i = 0; i < repeat; i++)); do
    line=$("$measure" $limit "$KRAIT" check --quiet "$@" "$path" 2>/dev/null) || die "cannot run $measure"
    read -ra words <<<"$line"
    case ${words[4]}:${words[5]} in
      0:valid | 1:invalid | 3:unknown) verdict=${words[5]} ;;
      142:*) verdict= ;;
      *) die "exit code ${words[4]}: krait check $* $path" ;;
    esac
    times+=($((10#${words[0]/./})))
    [ "${words[3]}" -le $bytes ] || bytes=${words[3]}
    [ -n "$verdict" ] || break
  done
  mapfile -t times < <(printf '%s\n' "${times[@]}" | sort -n)
  user=${times[${#times[@]} / 2]}
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
