# What bench/worst tries next at a level: a line of options for krait generate.
#
#   awk -v level= -v under= -v txns= -v seed= -v timed=yes|no [-v fixed=NAME=VALUE,…] -f worst.awk DOMAINS KNOWN… TRIED
#
# DOMAINS: `workload NAME`, `store NAME` and `fault NAME STORE WORKLOAD…`, one to a line. KNOWN: shapes to begin with, LEVEL or * in the first field and the options in the last.
# TRIED, at this level: UNDER LEVEL VERDICT SECONDS MB OPTIONS, with tabs between them. First come the known shapes, and the one that was slowest when other programs were measured;
# then neighbours of the slowest so far, and now and then a shape drawn at random. The same files give the same answer. Nothing is printed when something undecided was found, since
# nothing is worse.

BEGIN {
  FS = "\t"
  order = split("workload level fault keys sessions concurrency repetition values operations reads unknown-rate abort-rate distribution no-times txns seed", fields, " ")
  # The empty value, written -, leaves a field out.
  domain["keys"] = "- 1 2 3 5 8 12 20 40 100 300 1000 10000"
  domain["sessions"] = "2 3 5 10 24 60 200 700 2000"
  domain["concurrency"] = "- 1 2 4 8 24 100"
  domain["repetition"] = "- 0 0.1 0.5 0.9 1"
  domain["values"] = "1 2 3 5 8 20 100"
  domain["operations"] = "- 1 2 3 4 6 8 12 20 40"
  domain["reads"] = "- 0.1 0.3 0.5 0.7 0.9 0.97"
  domain["unknown-rate"] = "- 0.02 0.1 0.3 0.6"
  domain["abort-rate"] = "- 0.05 0.3"
  domain["distribution"] = "- zipf hotspot"
  domain["no-times"] = "- yes"
  domain["seed"] = "1 2 3 4 5 6 7 8 9"
  split("0.01 0.05 0.2 1", rates, " ")
}

FILENAME == ARGV[1] {
  split($0, words, " ")
  if (words[1] == "fault") {
    fault_names[++faults] = words[2]
    store_of[words[2]] = words[3]
    sub(/^[^ ]+ [^ ]+ [^ ]+ /, "")
    shown_by[words[2]] = $0
  } else {
    name = words[1] == "store" ? "level" : words[1]
    domain[name] = domain[name] " " words[2]
  }
  next
}

FILENAME != ARGV[ARGC - 1] {
  if ($1 == level || $1 == "*") first[++firsts] = $NF
  next
}

NF == 6 {
  score = $3 == "unknown" ? 1000000 : $3 == "valid" || $3 == "invalid" ? $4 : -1
  if ($1 != under) {
    if (score > earlier_score) { earlier_score = score; earlier = $6 }
    next
  }
  tried[$6] = 1
  number++
  if (score > 100000) found = 1
  if (score >= 0) place($6, score)
}

END {
  if (found) exit
  state = seed % 1000000 + 7919 * number + 17
  for (i = 1; i <= length(level); i++) state = (state * 31 + index("abcdefghijklmnopqrstuvwxyz-", substr(level, i, 1))) % 2147483646 + 1
  for (i = 1; i <= 8; i++) uniform()
  offer(earlier)
  for (i = 1; i <= firsts; i++) offer(first[i])
  for (attempt = 1; attempt <= 100; attempt++) {
    if (!slow || uniform() < 0.1) anything(); else neighbour()
    offer_shape()
  }
}

# The six slowest ones so far, slowest first; of several alike the latest.
function place(options, score,   i) {
  for (i = (slow < 6 ? ++slow : slow + 1); i > 1 && slow_score[i - 1] <= score; i--) {
    slow_score[i] = slow_score[i - 1]
    slow_options[i] = slow_options[i - 1]
  }
  slow_score[i] = score
  slow_options[i] = options
}

# Park and Miller's generator, which every awk computes alike.
function uniform() {
  state = state * 16807 % 2147483647
  return state / 2147483647
}

function below(count) { return int(uniform() * count) }

function drawn(text,   parts, count) {
  count = split(text, parts, " ")
  return parts[below(count) + 1]
}

# --- shapes: the array shape, by the names of options ---------------------------------------------------------

function read_shape(options,   words, count, i, equals) {
  split("", shape)
  for (i = 1; i <= order; i++) shape[fields[i]] = "-"
  count = split(options, words, " ")
  for (i = 1; i <= count; i++) {
    equals = index(words[i], "=")
    if (equals) shape[substr(words[i], 3, equals - 3)] = substr(words[i], equals + 1)
    else shape[substr(words[i], 3)] = "yes"
  }
}

function written_shape(   i, text) {
  for (i = 1; i <= order; i++)
    if (shape[fields[i]] != "" && shape[fields[i]] != "-")
      text = text (text == "" ? "" : " ") "--" fields[i] (fields[i] == "no-times" ? "" : "=" shape[fields[i]])
  return text
}

function offer(options) {
  if (options == "") return
  read_shape(options)
  offer_shape()
}

# Prints it and ends, unless it was tried.
function offer_shape(   options) {
  shape["txns"] = txns
  if (timed == "yes") shape["no-times"] = "-"
  fix()
  options = written_shape()
  if (options in tried) return
  print options
  exit
}

# What --with asks for. A fault that does not go with it is left out.
function fix(   words, count, i, equals, name) {
  count = split(fixed, words, ",")
  for (i = 1; i <= count; i++) {
    equals = index(words[i], "=")
    shape[substr(words[i], 1, equals - 1)] = substr(words[i], equals + 1)
  }
  name = shape["fault"]
  sub(/:.*/, "", name)
  if (count && (shape["level"] != store_of[name] || !index(" " shown_by[name] " ", " " shape["workload"] " "))) shape["fault"] = "-"
}

# A fault belongs to one level of the store and to some workloads.
function make_fit(   name) {
  name = shape["fault"]
  sub(/:.*/, "", name)
  if (name == "" || name == "-") return
  shape["level"] = store_of[name]
  if (!index(" " shown_by[name] " ", " " shape["workload"] " ")) shape["workload"] = drawn(shown_by[name])
}

function draw_fault() { shape["fault"] = faults && uniform() < 0.6 ? fault_names[below(faults) + 1] ":" rates[below(4) + 1] : "-" }

function anything(   i) {
  split("", shape)
  for (i = 1; i <= order; i++)
    if (fields[i] in domain) shape[fields[i]] = drawn(domain[fields[i]])
  draw_fault()
  make_fit()
}

# Numbers move a little, mostly; what is no number may become any other.
function move(name,   parts, count, i, at) {
  if (name == "fault") {
    draw_fault()
    return
  }
  if (name == "level" && shape["fault"] != "-") shape["fault"] = "-"
  count = split(domain[name], parts, " ")
  for (i = 1; i <= count; i++) if (parts[i] == shape[name]) at = i
  if (!at || name == "workload" || name == "level" || name == "seed" || uniform() < 0.15)
    at = below(count) + 1
  else
    at += (uniform() < 0.5 ? -1 : 1) * (uniform() < 0.7 ? 1 : 2)
  shape[name] = parts[at < 1 ? 1 : at > count ? count : at]
}

function neighbour(   changes, i, name) {
  i = int(uniform() * uniform() * slow) + 1
  read_shape(slow_options[i])
  changes = uniform() < 0.5 ? 1 : uniform() < 0.6 ? 2 : 3
  while (changes > 0) {
    name = fields[below(order) + 1]
    if (name != "fault" && !(name in domain)) continue
    move(name)
    changes--
  }
  make_fit()
}
