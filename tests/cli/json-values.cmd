# Times and memory vary; the words of explanations are not the matter here.
normal() {
  sed -E 's/[0-9]+\.[0-9]{6}/0/g; s/"peakRssBytes":[0-9]+/"peakRssBytes":0/; s/"why":"([^"\\]|\\.)*"/"why":"…"/g; s/"explanation":"([^"\\]|\\.)*"/"explanation":"…"/'
}
krait check --level=ser --json valid.kht | normal
krait check --level=ser --json lost-update.kht integers.kht bytes.jsonl | normal
krait check --level=sser --json untimed.kht | normal
