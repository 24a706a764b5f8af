#!/usr/bin/env bash
# make bench: the service against scripts/bench/floor on 1,000,000 cards; prints a Markdown table of figures and aims.
#
# The database is a cluster of its own that waits for its disk like any other, .data/bench-postgres. It is seeded once
# and kept: later runs begin at once. Arguments go to scripts/bench/load, such as -rounds 3 or -profiles DIR.
# CARDVAULT_SHARED names the folder with the shared catalogues; without it their import is not measured.
set -euo pipefail
cd "$(dirname "$0")/.."

cluster=.data/bench-postgres
work=$PWD/.data/bench
catalogue=${CARDVAULT_SHARED:-../shared}/data/catalog/pokemon-tcg-data.zip

say() { printf 'bench: %s\n' "$*" >&2; }
field() { sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p' <<<"$2"; }

scripts/install.sh run
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/floor ./scripts/bench/seed ./scripts/bench/load

if ! scripts/postgres.sh status "$cluster"; then
  trap 'scripts/postgres.sh stop "$cluster"' EXIT
  scripts/postgres.sh start "$cluster"
fi
CARDVAULT_DATABASE_URL=$(scripts/postgres.sh url "$cluster")
export CARDVAULT_DATABASE_URL
"$work/cardvault" migrate up >&2
say "seeding, where that has not been done; else vacuuming"
seeded=$("$work/seed")
[[ -f $catalogue ]] || catalogue=

"$work/load" -service "$work/cardvault" -floor "$work/floor" -work "$work" -catalogue "$catalogue" \
  -account "$(field account_id "$seeded")" -token "$(field token "$seeded")" "$@"
