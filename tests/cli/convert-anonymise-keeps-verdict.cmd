for history in valid lost-update stale any; do
  krait convert --to=kht --anonymise $history.kht anonymous-$history.kht
  krait check --level=ser --quiet $history.kht anonymous-$history.kht
done
