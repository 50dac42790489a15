krait check --level=ser --json torn.jsonl 2>/dev/null | grep -o '"warnings":\[[^]]*\]'
