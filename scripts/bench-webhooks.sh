#!/usr/bin/env bash
# make bench-webhooks: measures the webhook engine under bursts, under a steady load, and with slow and failing endpoints.
# Prints a Markdown table of figures and aims. Takes about five minutes and at most seven.
# BEFORE=HEAD~20 make bench-webhooks: compares bursts with the engine of that commit, in turns.
#
# The databases are in a cluster with durable commits, .data/bench-webhooks-postgres.
# Arguments go to scripts/bench/webhooks, such as -rounds 1, -events 2000, -steady 3s, -only hanging, -pairs 1, -limit 10m
# or -profile FILE.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

cluster=.data/bench-webhooks-postgres
work=$PWD/.data/bench-webhooks

scripts/install.sh run
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/webhooks
if [[ ${BEFORE:-} ]]; then
  scripts/bench/build-before.sh "$BEFORE" "$work/before" ./cmd/cardvault ./scripts/bench/webhooks
  set -- -before "$work/before" -limit 15m "$@"
fi

start_cluster "$cluster"
"$work/webhooks" -database "$(scripts/postgres.sh url "$cluster")" -service "$work/cardvault" -work "$work" "$@"
