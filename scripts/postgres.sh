#!/usr/bin/env bash
# Manages a private PostgreSQL cluster in the checkout that listens on a Unix socket only.
#
#   scripts/postgres.sh start [--throwaway] [DIR]   start it, and create it if it is missing
#   scripts/postgres.sh stop|restart [DIR]          restart is immediate, like a crash and its recovery
#   scripts/postgres.sh remove [DIR]                stop it and delete its data
#   scripts/postgres.sh status [DIR]                exit status 0: running, 1: not
#   scripts/postgres.sh url [DIR]                   the address of its database "cardvault"
#   scripts/postgres.sh database DIR NAME           the address of another database, created if it is missing
#
# DIR defaults to .data/postgres. A throwaway cluster is for tests: each start creates it again unless it runs, and its
# commits do not wait for the disk.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

# The user's own PG* variables must not redirect psql and initdb.
unset "${!PG@}"

# server_bin prints the folder of the server's programs: of the version that created the cluster, else of the newest.
server_bin() {
  local made candidates
  made=$(cat "$data/PG_VERSION" 2>/dev/null || true)
  if [[ -n $made && -x /usr/lib/postgresql/$made/bin/postgres ]]; then
    echo "/usr/lib/postgresql/$made/bin"
    return
  fi
  candidates=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort --version-sort | tail -n 1)
  [[ -x $candidates ]] || candidates=$(command -v postgres || true)
  [[ -n $candidates ]] || die "no PostgreSQL server found: run scripts/install.sh run"
  dirname "$(readlink -f "$candidates")"
}

# choose_owner sets as_owner to the prefix of commands on the cluster. PostgreSQL refuses to run as root, so root switches
# to the user postgres, who may have no access to the folders above the checkout (/root is closed to others). Root then
# grants the capability to pass closed folders if it may; else the data moves to /var/lib.
choose_owner() {
  as_owner=()
  owner=$(id -un)
  [[ $EUID -eq 0 ]] || return 0
  owner=postgres
  id postgres >/dev/null 2>&1 || die "as root, a user named postgres is needed: run scripts/install.sh run"

  local plain=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  local passing=("${plain[@]}" --inh-caps=+dac_override --ambient-caps=+dac_override)
  # This tests with stat because "test -x" calls access(2), which ignores capabilities.
  local way=(stat "$(dirname "$data")/.")
  mkdir -p "$(dirname "$data")"
  if "${plain[@]}" "${way[@]}" >/dev/null 2>&1; then
    as_owner=("${plain[@]}")
  elif "${passing[@]}" "${way[@]}" >/dev/null 2>&1; then
    as_owner=("${passing[@]}")
  elif "${plain[@]}" true 2>/dev/null; then
    as_owner=("${plain[@]}")
    data=/var/lib/cardvault-$(hash "$data")
  else
    die "root may not change user here, and PostgreSQL refuses to run as root: set CARDVAULT_DATABASE_URL to a server of your own"
  fi
}

# choose_socket puts the socket into the data folder, unless the path is too long for a socket (107 bytes in all) or
# holds characters that would need escaping in an address.
choose_socket() {
  socket=$data
  if [[ ${#data} -gt 85 || $data =~ [^A-Za-z0-9/._-] ]]; then
    socket=/tmp/cardvault-$(hash "$data")
  fi
}

run_as_owner() { (cd / && "${as_owner[@]}" "$@"); }

# private_dir creates a folder that only the owner of the cluster may enter, and refuses one of another user.
private_dir() {
  [[ -d $1 ]] || install -d -m 700 -o "$owner" "$1"
  [[ $(stat -c %U "$1") == "$owner" ]] || die "$1 belongs to $(stat -c %U "$1"), not to $owner: remove it, or run as its owner"
}

# running looks for the server process itself. pg_ctl accepts any process with the number in the pid file: after a reboot
# that may be another program, and in a container without an init it may be a zombie.
running() {
  local pid
  pid=$(run_as_owner head -n 1 "$data/postmaster.pid" 2>/dev/null) || return 1
  run_as_owner grep -qszxF -- "$data" "/proc/$pid/cmdline"
}

# clear_locks removes the locks of a server that died. In the pid file it only replaces the process number, by one that no
# process can have (Linux ends at 2^22 - 1). From the rest a new server sees whether processes of the old one still run.
clear_locks() {
  run_as_owner rm -f "$socket"/.s.PGSQL.5432{,.lock}
  if run_as_owner test -f "$data/postmaster.pid"; then run_as_owner sed -i '1s/.*/4194304/' "$data/postmaster.pid"; fi
}

# create creates the cluster under another name and renames it, so that an interrupted initdb leaves no partial cluster.
create() {
  say "creating a cluster in $data"
  rm -rf "$data.new"
  private_dir "$data.new"
  run_as_owner "$bin/initdb" -D "$data.new" -U cardvault --auth=trust --encoding=UTF8 --locale=C.UTF-8 "$@" >/dev/null
  mv "$data.new" "$data"
}

start() {
  local settings="-c listen_addresses= -c unix_socket_directories='$socket' -c unix_socket_permissions=0700"
  settings+=" -c max_connections=300 -c shared_buffers=256MB"
  if running; then return; fi
  if [[ -d $data ]]; then private_dir "$data"; fi
  if [[ $throwaway ]]; then
    rm -rf "$data"
    settings+=" -c max_connections=600 -c fsync=off -c full_page_writes=off -c synchronous_commit=off"
  fi
  mkdir -p "$(dirname "$data")"
  [[ -d $data ]] || create ${throwaway:+--no-sync}
  private_dir "$socket"
  clear_locks
  run_as_owner "$bin/pg_ctl" start -w -t 60 -D "$data" -l "$data/server.log" -o "$settings" >/dev/null ||
    die "the server did not start; the end of $data/server.log:"$'\n'"$(tail -n 5 "$data/server.log" 2>/dev/null)"
  create_database cardvault
}

create_database() {
  local psql=("$bin/psql" -qAtX -h "$socket" -p 5432 -U cardvault -d postgres)
  if [[ -z $(run_as_owner "${psql[@]}" -c "select 1 from pg_database where datname = '$1'") ]]; then
    run_as_owner "${psql[@]}" -c "create database \"$1\""
  fi
}

stop() {
  if running; then run_as_owner "$bin/pg_ctl" stop -w -t 60 -m fast -D "$data" >/dev/null; fi
  if [[ $socket != "$data" ]]; then rm -rf "$socket"; fi
}

remove() {
  if [[ -d $data ]]; then
    stop
    rm -rf "$data"
  fi
}

# restart keeps the options of start: pg_ctl reads them from postmaster.opts.
restart() { run_as_owner "$bin/pg_ctl" restart -w -t 60 -m immediate -D "$data" -l "$data/server.log" >/dev/null; }

url() { echo "postgres://cardvault@/$1?host=$socket&port=5432&sslmode=disable"; }

command=${1:-}
shift || true
throwaway=
if [[ ${1:-} == --throwaway ]]; then throwaway=yes; shift; fi
data=$(realpath -m "${1:-.data/postgres}")
choose_owner
choose_socket
bin=$(server_bin)

case $command in
  start | stop | restart | remove) "$command" ;;
  status) running ;;
  url) url cardvault ;;
  database) create_database "$2" && url "$2" ;;
  *) sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
esac
