#!/usr/bin/env bash
# A private PostgreSQL cluster inside the checkout, reachable by a Unix socket alone.
#
#   scripts/postgres.sh start [--throwaway] [DIR]   start it, creating it first where it is missing
#   scripts/postgres.sh stop|restart [DIR]          restart is immediate, like a crash and its recovery
#   scripts/postgres.sh remove [DIR]                stop it and delete its data
#   scripts/postgres.sh status [DIR]                exit status 0: running, 1: not
#   scripts/postgres.sh url [DIR]                   the address of its database "cardvault"
#   scripts/postgres.sh database DIR NAME           the address of another of its databases, made where it is missing
#
# DIR is .data/postgres unless given. A throwaway cluster is for tests: made anew by every start that finds it down,
# and without the waits that make commits survive a power cut.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

# The user's own PG* variables must not redirect psql and initdb.
unset "${!PG@}"

# hash names a checkout's things outside the checkout, so that two checkouts do not collide.
hash() { printf '%s' "$1" | sha256sum | cut -c1-12; }

# server_bin prints the folder of the server's programs: the version that made the cluster, else the newest.
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

# choose_owner decides how commands that touch the cluster run, into the array as_owner. PostgreSQL refuses to run as
# root, so root hands over to the user postgres, who may have no way through the folders above the checkout (/root is
# closed to others). The right to pass closed folders helps where root may grant it; else the data moves to /var/lib.
choose_owner() {
  as_owner=()
  owner=$(id -un)
  [[ $EUID -eq 0 ]] || return 0
  owner=postgres
  id postgres >/dev/null 2>&1 || die "as root, a user named postgres is needed: run scripts/install.sh run"

  local plain=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  local passing=("${plain[@]}" --inh-caps=+dac_override --ambient-caps=+dac_override)
  # The way is tried by stat: "test -x" asks by access(2), which disregards granted rights.
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

# private_dir makes a folder that only the cluster's owner may enter, and refuses one that somebody else made.
private_dir() {
  [[ -d $1 ]] || install -d -m 700 -o "$owner" "$1"
  [[ $(stat -c %U "$1") == "$owner" ]] || die "$1 belongs to $(stat -c %U "$1"), not to $owner: remove it, or run as its owner"
}

# running looks for the server itself: pg_ctl and the server take any living process with the noted number for it, also
# another program's after a reboot, and a dead one that nobody has collected, as in containers without an init.
running() {
  local pid
  pid=$(run_as_owner head -n 1 "$data/postmaster.pid" 2>/dev/null) || return 1
  run_as_owner grep -qszxF -- "$data" "/proc/$pid/cmdline"
}

# clear_locks takes away the locks of a server that died without doing so itself. In the pid file only the number goes,
# for one that no process can have (Linux ends at 2^22 - 1): by the rest a new server sees whether parts of the old live.
clear_locks() {
  run_as_owner rm -f "$socket"/.s.PGSQL.5432{,.lock}
  if run_as_owner test -f "$data/postmaster.pid"; then run_as_owner sed -i '1s/.*/4194304/' "$data/postmaster.pid"; fi
}

# create makes the cluster beside its final place and renames it, so that an interrupted initdb leaves no half cluster.
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
    settings+=" -c fsync=off -c full_page_writes=off -c synchronous_commit=off"
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

# restart keeps the options that start gave: pg_ctl reads them from the cluster's postmaster.opts.
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
