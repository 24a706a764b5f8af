#!/usr/bin/env bash
# Tests make run from outside, twice in a row: the commands that it prints work, a second make run names the port that is
# taken, and stopping leaves no process behind. Uses free ports and a data folder of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

unset "${!CARDVAULT_@}"
export CARDVAULT_DATA_DIR=$PWD/.data/e2e
output=$CARDVAULT_DATA_DIR/output
run=

# die adds the output of make run to the message.
die() { say "$*"; [[ ! -f $output ]] || sed 's/^/  | /' "$output" >&2; exit 1; }

# shellcheck disable=SC2317 # called by the trap
clean_up() {
  if [[ $run ]]; then
    kill -TERM "$run" 2>/dev/null || true
    wait "$run" || true
  fi
  scripts/postgres.sh remove "$CARDVAULT_DATA_DIR/postgres"
  rm -rf "$CARDVAULT_DATA_DIR"
}

start() {
  rm -f "$output" # so that the output of the previous round is not read
  scripts/run.sh >"$output" 2>&1 &
  run=$!
  for _ in {1..600}; do
    if grep -qs '^Ctrl-C stops' "$output"; then return; fi
    kill -0 "$run" 2>/dev/null || die "make run ended before it was ready:"
    sleep 0.2
  done
  die "make run was not ready after two minutes:"
}

# listens_locally fails if a process of make run listens where other machines can connect.
listens_locally() {
  local pid fd inode
  declare -A own=()
  for pid in $(grep -lsaF "$CARDVAULT_DATA_DIR" /proc/[0-9]*/cmdline | cut -d / -f 3); do
    for fd in /proc/"$pid"/fd/*; do
      inode=$(readlink "$fd" 2>/dev/null || true)
      if [[ $inode == socket:* ]]; then own[${inode//[^0-9]/}]=$pid; fi
    done
  done
  # A listening socket has the state 0A. Loopback is 127.0.0.0/8, also as an IPv6 address, or ::1.
  for inode in $(awk '$4 == "0A" && $2 !~ /7F:/ && $2 !~ /^00000000000000000000000001000000:/ { print $10 }' /proc/net/tcp /proc/net/tcp6); do
    if [[ ${own[$inode]:-} ]]; then
      die "make run listens on more than loopback: $(tr '\0' ' ' </proc/"${own[$inode]}"/cmdline)"
    fi
  done
}

# use_it runs the commands that make run printed. An error status of the service fails them.
use_it() {
  local lines line
  mapfile -t lines < <(sed -n 's/^ *curl -s /curl -fsS --max-time 30 /p' "$output")
  [[ ${#lines[@]} -eq 3 ]] || die "expected three curl lines, got ${#lines[@]}:"
  for line in "${lines[@]}"; do
    bash -c "$line" >/dev/null || die "this line does not work: $line"
  done
}

refuse_second() {
  local said
  if said=$(scripts/run.sh 2>&1); then die "a second make run on the same ports did not fail"; fi
  [[ $said == *"taken by another program"*CARDVAULT_ADDR=* ]] || die "a second make run did not name the port that is taken: $said"
}

stop() {
  local port
  kill -TERM "$run"
  wait "$run" || die "make run ended with status $?:"
  run=
  for port in "${ports[@]}"; do
    if listening "$port"; then die "something still listens on port $port"; fi
  done
  if scripts/postgres.sh status "$CARDVAULT_DATA_DIR/postgres"; then die "the database still runs"; fi
}

ports=("$(free_port)" "$(free_port)" "$(free_port)")
export CARDVAULT_ADDR=127.0.0.1:${ports[0]} CARDVAULT_ADMIN_ADDR=127.0.0.1:${ports[1]} CARDVAULT_MARKET_ADDR=127.0.0.1:${ports[2]}
trap clean_up EXIT
mkdir -p "$CARDVAULT_DATA_DIR"

for round in first second; do
  say "make run, $round time"
  start
  use_it
  listens_locally
  refuse_second
  stop
done
