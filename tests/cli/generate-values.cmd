# Eight values that repeat, or as many as asked for; unique ones are above them.
for option in '' --values=8 --values=2 '--values=2 --repetition=0.5'; do
  krait generate --workload=blindw-repeated --level=serializable --txns=500 --seed=1 --quiet --to=kht $option - | grep -o 'put [0-9]* [0-9]*' | cut -d' ' -f3 | sort -n |
    uniq -c | awk -v option="$option" '$1 > 1 { repeat++; if ($2 > most) most = $2 } $1 == 1 { once++ } END { print option " " repeat " values repeat, up to " most ", " once + 0 " do not" }'
done
