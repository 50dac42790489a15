command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
cp lost-update.kht $'\x01\xff&<">.kht'
krait check --level=all --output=junit valid.kht $'\x01\xff&<">.kht' bad.kht 2>/dev/null | python3 -c '
import sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(root.tag, len(root), len(root.findall(".//testcase")), len(root.findall(".//failure")), len(root.findall(".//error")))'
