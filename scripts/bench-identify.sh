#!/usr/bin/env bash
# make bench-identify PHOTOS=DIR CATALOG='FORMAT:FILE ...': measures how well the providers identify photos of known cards.
#
# PHOTOS has the photos and a manifest.csv with the columns file, name, set, number and catalog_id, and optionally game.
# CATALOG lists files as cardvault catalog import takes them, such as 'pokemon-tcg-data:cards.zip csv:magic.csv.gz
# fingerprints:hashes.json.gz'. They are imported into a database of their own.
# make calibrate-identify runs it with -calibrate FILE, which fits the weights of the evidence instead, and writes them.
# Arguments go to scripts/bench/identify, such as -readers neural, -provider ocr or -v.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

cluster=.data/bench-identify-postgres
work=$PWD/.data/bench-identify

[[ ${PHOTOS:-} && ${CATALOG:-} ]] || die "usage: make bench-identify PHOTOS=DIR CATALOG='FORMAT:FILE ...'"
scripts/install.sh run models
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/identify
install_models "$work/cardvault"

start_cluster "$cluster"
CARDVAULT_DATABASE_URL=$(scripts/postgres.sh url "$cluster")
export CARDVAULT_DATABASE_URL
"$work/cardvault" migrate up >&2
for file in $CATALOG; do
  say "importing ${file#*:}"
  "$work/cardvault" catalog import --format "${file%%:*}" "${file#*:}" >&2
done
"$work/identify" -photos "$PHOTOS" "$@"
if [[ " $* " == *" -calibrate "* ]]; then exit; fi
say "the same with the card of each photo taken out of the catalogue"
"$work/identify" -photos "$PHOTOS" -without "$@"
