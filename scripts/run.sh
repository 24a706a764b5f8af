#!/usr/bin/env bash
# make run: runs the whole product on this machine, with a demo account, until Ctrl-C.
#
# Starts a private PostgreSQL cluster (unless CARDVAULT_DATABASE_URL names a database), the sandbox marketplace and
# the service, and prints what to try. It stops everything that it started, also when a part fails.
# Addresses: CARDVAULT_ADDR, CARDVAULT_ADMIN_ADDR, CARDVAULT_MARKET_ADDR. State and logs: .data/, or CARDVAULT_DATA_DIR.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

# Only this machine may connect unless the caller asks for more: development settings let the service fetch from
# private networks.
export CARDVAULT_ADDR=${CARDVAULT_ADDR:-127.0.0.1:8080}
export CARDVAULT_ADMIN_ADDR=${CARDVAULT_ADMIN_ADDR:-127.0.0.1:9090}
export CARDVAULT_MARKET_ADDR=${CARDVAULT_MARKET_ADDR:-127.0.0.1:8081}

data=$(realpath -m "${CARDVAULT_DATA_DIR:-.data}")
cardvault=$data/bin/cardvault
logs=$data/log
cluster=$data/postgres
own_cluster=

say() { printf '%s\n' "$*" >&2; }
die() { say "make run: $*"; exit 1; }

# base_url prints the address at which this machine reaches a listener given as [HOST]:PORT.
base_url() {
  local host=${1%:*}
  case $host in '' | 0.0.0.0 | '[::]' | 127.0.0.1) host=localhost ;; esac
  echo "http://$host:${1##*:}"
}

# require_free VARIABLE ends the script if a program listens on the address that the variable holds.
require_free() {
  local variable=$1 host=${!1%:*} port=${!1##*:}
  [[ $port =~ ^[0-9]+$ ]] || die "$variable is '${!variable}': want HOST:PORT or :PORT"
  case $host in '' | 0.0.0.0 | '[::]') host=127.0.0.1 ;; esac
  host=${host#[} host=${host%]}
  if (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; then
    die "port $port is taken by another program (another make run?). Stop it, or choose another: $variable=127.0.0.1:$((port + 10)) make run"
  fi
}

start_database() {
  [[ -z ${CARDVAULT_DATABASE_URL_FILE:-} ]] || return 0
  # In a terminal that has read .data/env the variable names this cluster.
  [[ -z ${CARDVAULT_DATABASE_URL:-} || $CARDVAULT_DATABASE_URL == "$(scripts/postgres.sh url "$cluster")" ]] || return 0
  if ! scripts/postgres.sh status "$cluster"; then
    own_cluster=yes
    scripts/postgres.sh start "$cluster"
  fi
  CARDVAULT_DATABASE_URL=$(scripts/postgres.sh url "$cluster")
  export CARDVAULT_DATABASE_URL
}

# development_settings sets defaults for the settings that production requires.
development_settings() {
  local key=$data/secret.key
  [[ -s $key ]] || (umask 077 && head -c 32 /dev/urandom | base64 >"$key")
  if [[ -z ${CARDVAULT_SECRET_KEY:-} ]]; then export CARDVAULT_SECRET_KEY_FILE=${CARDVAULT_SECRET_KEY_FILE:-$key}; fi
  export CARDVAULT_ALLOW_PRIVATE_NETWORKS=${CARDVAULT_ALLOW_PRIVATE_NETWORKS:-true}
  export CARDVAULT_PHOTO_STORE=${CARDVAULT_PHOTO_STORE:-$data/photos}
  export CARDVAULT_MODELS_DIR=${CARDVAULT_MODELS_DIR:-$root/.data/models}
  export CARDVAULT_MARKET_POLL=${CARDVAULT_MARKET_POLL:-2s} # so that a sale shows at once when trying it
  export CARDVAULT_MARKET_URL=${CARDVAULT_MARKET_URL:-$(base_url "$CARDVAULT_MARKET_ADDR")}
}

# write_env writes the environment for a second terminal: `. .data/env`.
write_env() {
  local variable
  (
    umask 077
    {
      for variable in ${!CARDVAULT_*}; do printf 'export %s=%q\n' "$variable" "${!variable}"; done
      printf 'export PATH=%q:$PATH\n' "$data/bin"
      printf 'export %s=%q\n' API "$1" ACCOUNT "$2" TOKEN "$3"
    } >"$data/env"
  )
}

print_tour() {
  local api demo token card
  api=$(base_url "$CARDVAULT_ADDR")/api
  demo=$("$cardvault" demo --json)
  token=$(field token "$demo")
  card=$(curl -fsS -H "Authorization: Bearer $token" "$api/cards?set=Emberfall&status=identified,priced,photographed&limit=1" |
    grep -o 'card_[0-9a-z]*' | head -n 1)
  write_env "$api" "$(field account_id "$demo")" "$token"
  cat <<TOUR

CardVault is running with the demo account $(field account_id "$demo").

  Dashboard     $(base_url "$CARDVAULT_ADDR")/   (log in as $(field email "$demo") with the password $(field password "$demo"))
  API           $api
  Documentation $(base_url "$CARDVAULT_ADDR")/docs
  Marketplace   $CARDVAULT_MARKET_URL/
  Logs          $logs/
  Environment   . $(printf %q "$data/env")   (for a second terminal: \$API, \$ACCOUNT, \$TOKEN and the command cardvault)
  Token         $token

Try:

  curl -s -H 'Authorization: Bearer $token' '$api/cards?limit=2'

  curl -s -X PATCH -H 'Authorization: Bearer $token' -H 'Content-Type: application/json' -d '{"pricing":{"asking_price":{"amount":1250,"currency":"USD"}}}' '$api/cards/$card'

  curl -s -X POST -H 'Authorization: Bearer $token' -H 'Content-Type: application/json' -d '{"card_id":"$card"}' '$api/price-lookup'

Ctrl-C stops all of it.
TOUR
}

# stop_all stops the parts gracefully, then the cluster. A second Ctrl-C kills parts that do not stop.
# shellcheck disable=SC2317 # called by the traps
stop_all() {
  local status=$?
  trap 'kill -KILL "${parts[@]}" 2>/dev/null || true' INT
  trap '' TERM HUP
  if [[ ${#parts[@]} -gt 0 || $own_cluster ]]; then say "Stopping."; fi
  stop_parts
  if [[ $own_cluster ]]; then scripts/postgres.sh stop "$cluster"; fi
  exit "$status"
}

main() {
  local variable ended
  trap stop_all EXIT
  trap 'exit 0' INT TERM HUP
  for variable in CARDVAULT_ADDR CARDVAULT_ADMIN_ADDR CARDVAULT_MARKET_ADDR; do require_free "$variable"; done
  scripts/install.sh run
  mkdir -p "$logs"
  say "Building."
  go build -o "$cardvault" ./cmd/cardvault
  { "$root/scripts/install.sh" models && install_models "$cardvault"; } || say "Without the models, Tesseract reads the cards: slower, and fewer of them."
  start_database
  development_settings
  "$cardvault" migrate up
  start_part "$logs" "$cardvault" market
  start_part "$logs" "$cardvault" serve
  wait_ready "$logs" "$(base_url "$CARDVAULT_ADMIN_ADDR")/readyz"
  print_tour
  wait -n -p ended "${parts[@]}" || true
  part_died "$logs" "$ended"
}

main
