for format in jsonl kht krt trace cobra dbcop plume; do
  krait convert --to=$format integers.kht out.$format && krait convert --to=kht out.$format back.$format && krait check --level=ser --quiet back.$format
done
