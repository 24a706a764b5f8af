#!/usr/bin/env bash
# make bench: the service against scripts/bench/baseline on 1,000,000 cards; prints a Markdown table of figures and aims.
# BEFORE=HEAD~20 make bench: beside that, in the same rounds, against the service as it was at that commit.
#
# The database is a cluster of its own that waits for its disk like any other, .data/bench-postgres. It is seeded once
# for each build that is measured and kept: later runs begin at once. Arguments go to scripts/bench/load, such as
# -rounds 3, -only imports or -profiles DIR. See scripts/bench/README.md.
# CARDVAULT_SHARED names the folder with the shared catalogues; without it their import is not measured.
set -euo pipefail
shopt -s inherit_errexit # a failed migration inside $(…) ends the script
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

cluster=.data/bench-postgres
work=$PWD/.data/bench
catalogue=${CARDVAULT_SHARED:-../shared}/data/catalog/pokemon-tcg-data.zip

scripts/install.sh run
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/baseline ./scripts/bench/seed ./scripts/bench/load

start_cluster "$cluster"

# seeded PROGRAMS DATABASE migrates and seeds a database with a build's own programs, where that has not been done, and
# prints the account and token that are measured.
seeded() {
  CARDVAULT_DATABASE_URL=$2 "$1/cardvault" migrate up >&2
  say "seeding, where that has not been done; else vacuuming"
  CARDVAULT_DATABASE_URL=$2 "$1/seed"
}

database=$(scripts/postgres.sh url "$cluster")
found=$(seeded "$work" "$database")
arguments=(-account "$(field account_id "$found")" -token "$(field token "$found")")
if [[ ${BEFORE:-} ]]; then
  scripts/bench/build-before.sh "$BEFORE" "$work/before" ./cmd/cardvault ./scripts/bench/seed
  # A database for each commit: the migrations of two may differ.
  before=$(scripts/postgres.sh database "$cluster" "before_$(git rev-parse --short=12 "$BEFORE")")
  found=$(seeded "$work/before" "$before")
  arguments+=(-before "$work/before/cardvault" -before-database "$before"
    -before-account "$(field account_id "$found")" -before-token "$(field token "$found")")
fi
[[ -f $catalogue ]] || catalogue=

"$work/load" -database "$database" -service "$work/cardvault" -baseline "$work/baseline" -work "$work" -catalogue "$catalogue" "${arguments[@]}" "$@"
