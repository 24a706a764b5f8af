#!/usr/bin/env bash
# make bench: compares the service with scripts/bench/baseline on 1,000,000 cards and prints a Markdown table of figures
# and aims.
# BEFORE=HEAD~20 make bench: also compares it with the service of that commit, in the same rounds.
#
# The databases are in a cluster with durable commits, .data/bench-postgres. Each is seeded once and kept for later runs.
# Arguments go to scripts/bench/load, such as -rounds 3, -only imports or -profiles DIR. See scripts/bench/README.md.
# CARDVAULT_SHARED names the folder with the shared catalogues. Without it their import is not measured, and the catalogue
# that is searched is generated.
set -euo pipefail
shopt -s inherit_errexit # a failed migration inside $(…) ends the script
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

cluster=.data/bench-postgres
work=$PWD/.data/bench
catalogues=${CARDVAULT_SHARED:-../shared}/data/catalog
catalogue=$catalogues/pokemon-tcg-data.zip

scripts/install.sh run
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/baseline ./scripts/bench/seed ./scripts/bench/load
go build -C scripts/bench/requests -o "$work/" .

start_cluster "$cluster"

# seeded PROGRAMS DATABASE [OPTION...] migrates and seeds a database with the programs of a build, unless that was done
# before, and prints the account and token to measure with. It passes the options to seed.
seeded() {
  CARDVAULT_DATABASE_URL=$2 "$1/cardvault" migrate up >&2
  say "seeding, or vacuuming a seeded database"
  CARDVAULT_DATABASE_URL=$2 "$1/seed" "${@:3}"
}

database=$(scripts/postgres.sh url "$cluster")
found=$(seeded "$work" "$database" -catalogues "$catalogues")
arguments=(-account "$(field account_id "$found")" -token "$(field token "$found")")
if [[ ${BEFORE:-} ]]; then
  scripts/bench/build-before.sh "$BEFORE" "$work/before" ./cmd/cardvault ./scripts/bench/seed
  # One database per commit, because migrations differ.
  before=$(scripts/postgres.sh database "$cluster" "before_$(git rev-parse --short=12 "$BEFORE")")
  found=$(seeded "$work/before" "$before")
  arguments+=(-before "$work/before/cardvault" -before-database "$before"
    -before-account "$(field account_id "$found")" -before-token "$(field token "$found")")
fi
[[ -f $catalogue ]] || catalogue=

"$work/load" -database "$database" -service "$work/cardvault" -baseline "$work/baseline" \
  -requests "$work/requests" -work "$work" -catalogue "$catalogue" "${arguments[@]}" "$@"
