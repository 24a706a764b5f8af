#!/usr/bin/env bash
# Runs a command against the whole product: scripts/with-server.sh curl -H "Authorization: Bearer $TOKEN" "$API/cards"
#
# Builds the program, starts a throwaway database, the sandbox marketplace and the service on free ports, creates a
# sandbox account with the demo's cards, runs the command and stops everything again. The command finds:
#
#   API, SERVER       http://127.0.0.1:PORT/api, and the same without /api
#   ACCOUNT, TOKEN    of the sandbox account; the token has no effective rate limits
#   CARDVAULT_*       the service's settings, and cardvault on the PATH, for further accounts, webhooks …
#
# Logs and state are in a folder of their own under .data/, which is kept if the command fails.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

[[ $# -gt 0 ]] || { echo "usage: scripts/with-server.sh COMMAND [ARGUMENT...]" >&2; exit 2; }
unset "${!CARDVAULT_@}"
mkdir -p .data
folder=$(mktemp -d "$root/.data/server-XXXXXX")

# shellcheck disable=SC2317 # called by the trap
stop_all() {
  local status=$?
  trap '' INT TERM
  stop_parts
  scripts/postgres.sh remove "$folder/postgres"
  if [[ $status -eq 0 ]]; then rm -rf "$folder"; else say "logs: $folder"; fi
  exit "$status"
}

settings() {
  CARDVAULT_DATABASE_URL=$(scripts/postgres.sh url "$folder/postgres")
  CARDVAULT_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_ADMIN_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_MARKET_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_MARKET_URL=http://$CARDVAULT_MARKET_ADDR
  CARDVAULT_MARKET_POLL=1s
  CARDVAULT_SECRET_KEY=$(head -c 32 /dev/urandom | base64)
  CARDVAULT_ALLOW_PRIVATE_NETWORKS=true
  CARDVAULT_PHOTO_STORE=$folder/photos
  # Requests without a token count against the address, which all tests share.
  CARDVAULT_RATE_LIMITS=read=1000000,write=1000000,ai=1000000
  SERVER=http://$CARDVAULT_ADDR
  API=$SERVER/api
  PATH=$folder/bin:$PATH
  export "${!CARDVAULT_@}" SERVER API PATH
}

make_account() {
  local made
  made=$(cardvault sandbox --name Tests --limits read=1000000,write=1000000,ai=1000000 --json)
  ACCOUNT=$(jq -r .account_id <<<"$made")
  TOKEN=$(jq -r .token <<<"$made")
  export ACCOUNT TOKEN
}

trap stop_all EXIT
trap 'exit 1' INT TERM
go build -o "$folder/bin/cardvault" ./cmd/cardvault
scripts/postgres.sh start --throwaway "$folder/postgres"
settings
cardvault migrate up >"$folder/migrate.log"
start_part "$folder" cardvault market
start_part "$folder" cardvault serve
wait_ready "$folder" "http://$CARDVAULT_ADMIN_ADDR/readyz"
make_account
"$@"
