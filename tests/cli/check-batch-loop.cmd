# Links back to a folder on the way lead nowhere new.
mkdir -p batch/deep
cp valid.kht batch/deep
ln -s .. batch/deep/up
ln -s . batch/here
ln -s dangling batch/dangling
krait check --level=ser --quiet --batch=batch
echo "code $?"
