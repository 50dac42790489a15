command -v zstdcat >/dev/null || { echo no zstd; exit 77; }
# The format by the ending of the name, before .gz or .zst; JSON Lines if there is none.
for name in run.jsonl run.kht run.krt.zst run.kht.gz run.zst run run.txt; do
  krait generate --workload=blindw --level=ser --txns=50 --quiet $name || exit
  case $name in
    *.gz) zcat $name ;;
    *.zst) zstdcat $name ;;
    *) cat $name ;;
  esac | head -c 9 | tr '\n\0' '..' | sed "s/^/$name: /;s/[^ -~]/?/g"
  echo
done
