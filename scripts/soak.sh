#!/usr/bin/env bash
# make soak: the webhook engine under a steady load for a long time, and whether anything grows. Every 30 seconds it
# prints events, backlog, the age of the oldest due, the size of the table of unfinished deliveries and the memory of each
# process; it fails if table or memory are, after the warm-up, more than a quarter and a stated spare above what
# they were during it, if an event is missing, or if one came twice. It takes ten minutes.
#
# The database is in the cluster of make bench-webhooks, which waits for its disk like any other.
# Arguments go to scripts/bench/soak, such as -duration 1m, -rate 200 or -engines 4.
set -euo pipefail
cd "$(dirname "$0")/.."

cluster=.data/bench-webhooks-postgres
work=$PWD/.data/soak

say() { printf 'soak: %s\n' "$*" >&2; }

scripts/install.sh run
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/soak

if ! scripts/postgres.sh status "$cluster"; then
  trap 'scripts/postgres.sh stop "$cluster"' EXIT
  scripts/postgres.sh start "$cluster"
fi
"$work/soak" -database "$(scripts/postgres.sh url "$cluster")" -service "$work/cardvault" -work "$work" "$@"
