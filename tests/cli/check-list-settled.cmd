# A verdict that follows from another one names it; with --no-stronger-first each level is checked by itself.
by() { krait check --json "$@" | grep -o '"verdict":"[a-z]*","level":"[a-z-]*"\|"byLevel":"[a-z-]*"'; }
by --level=ser,strong-session-ser,sser valid.kht
by --level=ser,strong-session-ser,sser --no-stronger-first valid.kht
by --level=sser,strong-session-ser lost-update.kht
