#!/usr/bin/env bash
# Runs a command against the whole product: scripts/with-server.sh curl -H "Authorization: Bearer $TOKEN" "$API/cards"
#
# Builds the program, starts a throwaway database, the stand-in marketplace and the service on free ports, makes a
# sandbox account with the demo's cards, runs the command and stops everything again. The command finds:
#
#   API, SERVER       http://127.0.0.1:PORT/api, and the same without /api
#   ACCOUNT, TOKEN    of the sandbox account; the token's rate limits are as good as none
#   CARDVAULT_*       the service's settings, and cardvault on the PATH, for further accounts, webhooks …
#
# Logs and state are in a folder of this run's own under .data/, kept only if the command fails.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

[[ $# -gt 0 ]] || { echo "usage: scripts/with-server.sh COMMAND [ARGUMENT...]" >&2; exit 2; }
unset "${!CARDVAULT_@}"
mkdir -p .data
folder=$(mktemp -d "$root/.data/server-XXXXXX")
parts=()

say() { printf 'with-server: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_port prints a port below the range that the kernel gives to outgoing connections.
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && listening "$port"; do :; done
  echo "$port"
}

# shellcheck disable=SC2317 # called by the trap
stop_all() {
  local status=$? i
  trap '' INT TERM
  for ((i = ${#parts[@]} - 1; i >= 0; i--)); do
    kill -TERM "${parts[i]}" 2>/dev/null || true
    wait "${parts[i]}" 2>/dev/null || true
  done
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

start_part() {
  cardvault "$1" >"$folder/$1.log" 2>&1 &
  parts+=($!)
}

wait_ready() {
  local pid
  for _ in {1..300}; do
    for pid in "${parts[@]}"; do kill -0 "$pid" 2>/dev/null || die "a part ended:"$'\n'"$(tail -n 5 "$folder"/*.log)"; done
    if curl -fs -o /dev/null --max-time 2 "http://$CARDVAULT_ADMIN_ADDR/readyz"; then return; fi
    sleep 0.2
  done
  die "not ready after a minute:"$'\n'"$(tail -n 5 "$folder"/*.log)"
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
start_part market
start_part serve
wait_ready
make_account
"$@"
