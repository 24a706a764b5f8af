#!/usr/bin/env bash
# Runs the commands of the guides against the service: scripts/guides.sh [GUIDE...]
#
# The commands find API, TOKEN, ACCOUNT, CARD (a priced card with a photo, another for each guide), CATALOG_ID and a file
# front.jpg. A request that the service refuses is a failure. Blocks with an ellipsis, which stands for a value, are left
# out. Starts a server unless API names one. Logs: .data/guides/.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
[[ ${API:-} ]] || exec "$root/scripts/with-server.sh" "$0" "$@"

guides=("$@")
[[ $# -gt 0 ]] || guides=(
  users authentication idempotency pagination-and-polling cards-and-csv photos-and-identification pricing-and-listings
  bulk-and-jobs sales-and-accounting history-and-deletions
)
logs=$root/.data/guides
# How often a command is tried: what the commands before it have caused, such as a listing, can take a moment.
tries=20

# read_json ADDRESS FILTER prints a part of a response.
read_json() { command curl -sf -H "Authorization: Bearer $TOKEN" "$API$1" | jq -er "$2"; }

# prepare makes the account.
prepare() {
  local made
  made=$(cardvault sandbox --name Guides --json 2>"$logs/sandbox.log")
  ACCOUNT=$(jq -r .account_id <<<"$made") TOKEN=$(jq -r .token <<<"$made")
  CATALOG_ID=$(read_json '/catalog/cards?q=smoulderpaw&limit=1' '.data[0].id')
  export ACCOUNT TOKEN CATALOG_ID
}

# blocks GUIDE writes each block of commands to a file.
blocks() {
  awk -v prefix="$logs/$1/" '
    /^```sh$/ { file = sprintf("%s%02d.sh", prefix, ++n); next }
    /^```$/   { file = "" }
    file      { print > file }' "$root/openapi/guides/$1.md"
}

# curl fails for a request that the service refuses.
curl() { command curl --fail-with-body "$@"; }
export -f curl

# run BLOCK runs a block in the folder of its guide. Blocks share their variables. A shell of its own stops at the first
# command that fails, also where this script handles the failure.
run() {
  (cd "$(dirname "$1")" && bash -euo pipefail -c '
    if [[ -e variables ]]; then . ./variables; fi
    . "$1"
    for name in LISTING NEW ROLE; do declare -p "$name" 2>/dev/null || true; done >variables' guide "$1") >"$1.log" 2>&1
}

# follow GUIDE runs a guide's blocks in order.
follow() {
  local block try
  rm -rf "${logs:?}/$1"
  mkdir -p "$logs/$1"
  blocks "$1"
  CARD=$(read_json '/cards?status=priced&has_photo=true&sort=updated_at&limit=1' '.data[0].id')
  export CARD
  command curl -sf -o "$logs/$1/front.jpg" "$(read_json "/cards/$CARD" '.photos[0].url')"
  for block in "$logs/$1"/*.sh; do
    if grep -q '…' "$block"; then continue; fi
    for ((try = 1; ; try++)); do
      if run "$block"; then break; fi
      [[ $try -lt $tries ]] || { say "$1: this fails:"; cat "$block" "$block.log"; exit 1; }
      sleep 0.5
    done
  done
  say "$1: $(find "$logs/$1" -name '*.log' | wc -l) blocks of commands succeed"
}

mkdir -p "$logs"
prepare
for guide in "${guides[@]}"; do follow "$guide"; done
