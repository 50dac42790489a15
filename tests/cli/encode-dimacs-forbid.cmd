# Readers that must not see a version later than what they have seen: such paths are forbidden, whichever way acyclicity is said.
krait encode --level=update-serializable --to=dimacs --acyclicity=binary --no-saturation repeat.kht - | grep -v '^c history'
