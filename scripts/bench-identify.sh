#!/usr/bin/env bash
# make bench-identify PHOTOS=DIR CATALOG='FORMAT:FILE ...': measures how well the providers identify photos of known cards.
#
# PHOTOS has the photos and a manifest.csv with the columns file, name, set, number and catalog_id, and optionally game
# and language.
# CATALOG lists files as cardvault catalog import takes them, such as 'pokemon-tcg-data:cards.zip csv:magic.csv.gz
# fingerprints:hashes.json.gz'. They are imported into a database of their own.
# make calibrate-identify runs it with -calibrate FILE, which fits the weights of the evidence instead, and writes them.
# BACKLOG=1000 make bench-identify ... uploads so many photos to a server with two workers instead, and measures how fast
# it identifies them and what that does to requests. With APART=yes, a process of its own identifies them, to which
# Linux gives only idle processors, see the guide to operations. That needs root.
# Arguments go to scripts/bench/identify, such as -readers neural, -provider ocr or -v.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

cluster=.data/bench-identify-postgres
work=$PWD/.data/bench-identify

# enter_idle_group moves this shell to a control group whose processes run on idle processors, by version 2 or 1 of cgroups.
enter_idle_group() {
  local root=/sys/fs/cgroup
  if [[ -e $root/cgroup.controllers ]]; then echo +cpu >$root/cgroup.subtree_control; else root+=/cpu; fi
  mkdir -p "$root/cardvault-bench"
  echo 1 >"$root/cardvault-bench/cpu.idle"
  echo "$BASHPID" >"$root/cardvault-bench/cgroup.procs"
}

[[ ${PHOTOS:-} && ${CATALOG:-} ]] || die "usage: make bench-identify PHOTOS=DIR CATALOG='FORMAT:FILE ...'"
scripts/install.sh run models
mkdir -p "$work"
say "building"
go build -o "$work/" ./cmd/cardvault ./scripts/bench/identify ./scripts/bench/backlog
install_models "$work/cardvault"

start_cluster "$cluster"
CARDVAULT_DATABASE_URL=$(scripts/postgres.sh url "$cluster")
export CARDVAULT_DATABASE_URL
"$work/cardvault" migrate up >&2
for file in $CATALOG; do
  say "importing ${file#*:}"
  "$work/cardvault" catalog import --format "${file%%:*}" "${file#*:}" >&2
done
if [[ ${BACKLOG:-} ]]; then
  CARDVAULT_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_ADMIN_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_SECRET_KEY=$(head -c 32 /dev/urandom | base64)
  export CARDVAULT_ADDR CARDVAULT_ADMIN_ADDR CARDVAULT_SECRET_KEY
  export CARDVAULT_PHOTO_STORE=$work/photos CARDVAULT_IDENTIFY_WORKERS=${WORKERS:-2}
  account=$("$work/cardvault" account create --json --name backlog)
  token=$("$work/cardvault" token create --json --account "$(field id "$account")" --name backlog \
    --limits read=100000,write=100000,ai=100000)
  arguments=() processes=()
  if [[ ${APART:-} ]]; then
    arguments=(--no-identification)
    (
      enter_idle_group
      CARDVAULT_ADMIN_ADDR=127.0.0.1:$(free_port) exec "$work/cardvault" worker --only-identification >"$work/worker.log" 2>&1
    ) &
    processes+=($!)
  fi
  "$work/cardvault" serve "${arguments[@]}" >"$work/serve.log" 2>&1 &
  processes+=($!)
  trap 'kill "${processes[@]}"; wait "${processes[@]}" || true; scripts/postgres.sh stop "$cluster"' EXIT
  for _ in {1..100}; do curl -fs "http://$CARDVAULT_ADDR/readyz" >/dev/null && break; sleep 0.1; done
  "$work/backlog" -url "http://$CARDVAULT_ADDR" -token "$(field token "$token")" -photos "$PHOTOS" -n "$BACKLOG"
  exit
fi
"$work/identify" -photos "$PHOTOS" "$@"
if [[ " $* " == *" -calibrate "* ]]; then exit; fi
say "the same with the card of each photo taken out of the catalogue"
"$work/identify" -photos "$PHOTOS" -without "$@"
