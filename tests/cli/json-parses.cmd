command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
cp lost-update.kht $'\x01\xff\xe2\x82\xac".kht'
krait check --level=ser --json bytes.jsonl integers.kht $'\x01\xff\xe2\x82\xac".kht' | python3 -c '
import json, sys
for line in sys.stdin:
    verdict = json.loads(line)
    print(ascii(verdict["history"]), verdict["verdict"], verdict["core"], [edge["key"] for edge in verdict["cycle"]])'
krait stats --json mixed.kht | python3 -c 'import json, sys; print(json.load(sys.stdin)["kinds"]["put"])'
krait levels --json | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["level"])'
