# Throw-away database servers, for tests and measurements: own folders, unix sockets only, stopped by their process numbers. To be sourced.
#
#   servers_begin               makes a scratch folder; what was started is stopped at the exit of the script
#   postgresql_start            sets postgresql_url; postgresql_kill ends it with SIGKILL, postgresql_start brings it back
#   mariadb_start               the same
#   server_missing NAME         says what is missing for it, or fails if nothing is
#
# Servers refuse to run as root, and become the users that Debian's packages make; for everybody else they run as who calls.

servers_begin() {
  servers=$(mktemp -d "${TMPDIR:-/tmp}/krait-servers.XXXXXX") || exit 1
  chmod 755 "$servers"
  postgresql_pid= mariadb_pid=
  trap servers_end EXIT
  trap 'exit 130' INT TERM
}

servers_end() {
  [ -z "$postgresql_pid" ] || stop_server "$postgresql_pid" INT
  [ -z "$mariadb_pid" ] || stop_server "$mariadb_pid" TERM
  rm -rf "$servers"
}

# stop_server PID SIGNAL: and not a moment longer than ten seconds
stop_server() {
  local waited=0
  kill "-$2" "$1" 2>/dev/null || return 0
  while kill -0 "$1" 2>/dev/null; do
    sleep 0.1
    waited=$((waited + 1))
    [ $waited -lt 100 ] || kill -KILL "$1" 2>/dev/null
  done
}

# as_user USER COMMAND…
as_user() {
  local user=$1
  shift
  if [ "$(id -u)" -eq 0 ]; then
    setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"
  else
    "$@"
  fi
}

# server_folder NAME USER: empty, the user's own
server_folder() {
  mkdir -p "$servers/$1"
  [ "$(id -u)" -ne 0 ] || chown "$2" "$servers/$1"
}

postgresql_bin() {
  local folder
  for folder in "${POSTGRESQL_BIN:-}" /usr/lib/postgresql/*/bin "$(dirname "$(command -v initdb || echo /nowhere/initdb)")"; do
    [ ! -x "$folder/initdb" ] || { echo "$folder" && return; }
  done
  return 1
}

server_missing() {
  case $1 in
    postgresql) ! postgresql_bin >/dev/null && echo 'no PostgreSQL server here (Debian: postgresql)' ;;
    mariadb) ! command -v mariadbd >/dev/null && echo 'no MariaDB server here (Debian: mariadb-server)' ;;
    *) false ;;
  esac
}

# servers_install: the packages for both, if we may
servers_install() {
  [ "$(id -u)" -eq 0 ] && [ "${KRAIT_TEST_INSTALL:-yes}" != no ] && command -v apt-get >/dev/null || return 0
  local packages=()
  ! server_missing postgresql >/dev/null || packages+=(postgresql)
  ! server_missing mariadb >/dev/null || packages+=(mariadb-server)
  [ ${#packages[@]} -gt 0 ] || return 0
  echo "installing ${packages[*]}"
  DEBIAN_FRONTEND=noninteractive timeout 400 apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 \
    "${packages[@]}" >/dev/null 2>&1 || echo 'that did not work'
}

# wait_until SECONDS COMMAND…
wait_until() {
  local left=$(($1 * 10))
  shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ $left -gt 0 ] || return 1
    sleep 0.1
  done
}

# The write-ahead log reaches the kernel at each commit, which is all that a killed process needs; fsync is for machines that lose their power.
# Deadlocks are looked for sooner than by default (1 s), because workloads on few keys run into them all the time.
postgresql_start() {
  local bin data=$servers/postgresql/data
  bin=$(postgresql_bin) || return 1
  if [ ! -d "$data" ]; then
    server_folder postgresql postgres
    (cd "$servers/postgresql" && as_user postgres "$bin/initdb" -D "$data" -A trust -U tester --no-sync -E UTF8 --locale=C) \
      >"$servers/postgresql.log" 2>&1 || return 1
  fi
  # Where transactions wait long for a processor, serializable ones keep predicate locks for as long.
  (cd "$servers/postgresql" && exec 9>&- && as_user postgres "$bin/pg_ctl" -D "$data" -w -t 60 -l "$data/server.log" \
    -o "-c listen_addresses='' -c unix_socket_directories=$servers/postgresql -c fsync=off -c max_connections=120 -c deadlock_timeout=50ms -c max_pred_locks_per_transaction=1024" start) \
    >>"$servers/postgresql.log" 2>&1 </dev/null || return 1
  postgresql_pid=$(head -n 1 "$data/postmaster.pid")
  postgresql_url="postgresql://tester@/postgres?host=$servers/postgresql"
}

# All of its processes: without the first one the others end by themselves, but not at once.
postgresql_kill() {
  local processes
  processes=$(ps -o pid= --ppid "$postgresql_pid")
  kill -KILL "$postgresql_pid" $processes 2>/dev/null
  wait_until 10 postgresql_is_gone $processes
  postgresql_pid=
}
postgresql_is_gone() { ! kill -0 "$@"; }

mariadb_ping() { mariadb-admin --no-defaults -S "$servers/mariadb/socket" -u root ping; }

# A certificate of its own for a server, whoever it may be: SERVER.pem and SERVER.key in the folder. None where there is no openssl.
server_certificate() { # FOLDER NAME USER
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout "$1/$2.key" -out "$1/$2.pem" >>"$servers/$2.log" 2>&1 || { rm -f "$1/$2.key" "$1/$2.pem" && return 1; }
  [ "$(id -u)" -ne 0 ] || chown "$3" "$1/$2.key" "$1/$2.pem"
}

# The log reaches the kernel at each commit (2), as above. $1: another setting of innodb-flush-log-at-trx-commit.
mariadb_start() {
  local data=$servers/mariadb/data user= tls=()
  [ "$(id -u)" -ne 0 ] || user=--user=mysql
  if [ ! -d "$data" ]; then
    server_folder mariadb mysql
    mariadb-install-db --no-defaults --datadir="$data" $user --auth-root-authentication-method=normal --skip-test-db \
      >"$servers/mariadb.log" 2>&1 || return 1
    server_certificate "$servers/mariadb" mariadb mysql
  fi
  [ ! -e "$servers/mariadb/mariadb.pem" ] || tls=(--ssl-cert="$servers/mariadb/mariadb.pem" --ssl-key="$servers/mariadb/mariadb.key")
  mariadbd --no-defaults $user --datadir="$data" --socket="$servers/mariadb/socket" --pid-file="$servers/mariadb/pid" \
    --skip-networking --innodb-flush-log-at-trx-commit="${1:-2}" --innodb-buffer-pool-size=64M "${tls[@]}" >>"$servers/mariadb.log" 2>&1 </dev/null &
  mariadb_pid=$!
  wait_until 60 mariadb_ping || return 1
  mariadb --no-defaults -S "$servers/mariadb/socket" -u root -e 'CREATE DATABASE IF NOT EXISTS test' >>"$servers/mariadb.log" 2>&1 ||
    return 1
  mariadb_url="mariadb://root@/test?socket=$servers/mariadb/socket"
}

mariadb_kill() {
  kill -KILL "$mariadb_pid"
  wait "$mariadb_pid" 2>/dev/null
  mariadb_pid=
}
