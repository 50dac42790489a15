krait stats --json mixed.kht untimed.kht | sed -E 's/"bytes":[0-9]+/"bytes":N/'
