# Several deletes without recorded results, and cursors before and between them: that the first one wrote nothing and the second one did is not looked at.
# T1's first read under a lock saw the initial version, and T2's deletion comes before T1's; the delete under a lock may have read that one.
cat >run.kht <<'END'
krait 1
init { x=1 }
s1 T1 { get x -> 1 @update; get y -> 1; del x @update; del x } commit
s2 T2 { del x -> found; put y 1 } commit
s3 T3 { get x -> nil @version=1 } commit
END
krait check --level=cs run.kht
krait check --level=rc run.kht
# With one delete there is no such choice.
sed 's/; del x }/ }/' run.kht >one.kht
krait check --level=cs one.kht | head -1
# Invalid without its cursors is invalid.
sed 's/ @version=1//; s/put y 1 }/put y 1; get z -> 1 }/; s/s1 T1 {/& put z 1;/' run.kht >circle.kht
krait check --level=cs circle.kht | head -1
