#!/usr/bin/env bash
# make bench-webhooks: the webhook engine under bursts, at a steady load and beside endpoints in trouble; prints a
# Markdown table of figures and aims. It takes about two minutes and at most four.
# BEFORE=HEAD~20 make bench-webhooks: beside that, in turns, bursts of the engine as it was at that commit.
#
# The databases are in a cluster of its own that waits for its disk like any other, .data/bench-webhooks-postgres.
# Arguments go to scripts/bench/webhooks, such as -rounds 1, -events 2000, -steady 3s, -limit 10m or -profile FILE.
set -euo pipefail
cd "$(dirname "$0")/.."

cluster=.data/bench-webhooks-postgres
work=$PWD/.data/bench-webhooks

say() { printf 'bench: %s\n' "$*" >&2; }

# machine tells what the figures were measured on.
machine() {
  local load memory
  read -r load _ </proc/loadavg
  memory=$(sed -n 's/^MemTotal: *\(.*\)/\1/p' /proc/meminfo)
  printf -- '- %s, %s cores, %s of memory, Linux %s; load average before the run %s\n' \
    "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$memory" "$(uname -r)" "$load"
  printf -- '- %s; publisher, engine, PostgreSQL and sink share the machine\n' "$(go version)"
}

scripts/install.sh run
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/webhooks
if [[ ${BEFORE:-} ]]; then
  scripts/bench/build-before.sh "$BEFORE" "$work/before" ./cmd/cardvault ./scripts/bench/webhooks
  set -- -before "$work/before" -limit 15m "$@"
fi

if ! scripts/postgres.sh status "$cluster"; then
  trap 'scripts/postgres.sh stop "$cluster"' EXIT
  scripts/postgres.sh start "$cluster"
fi
machine
"$work/webhooks" -database "$(scripts/postgres.sh url "$cluster")" -service "$work/cardvault" -work "$work" "$@"
