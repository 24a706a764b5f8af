#!/usr/bin/env bash
# Tests the service against its contracts with generated requests: scripts/contract/schemathesis.sh
#
# SEED determines the requests, EXAMPLES how many are generated for each operation, STATEFUL for how many seconds links
# from responses to requests are followed. Logs: .data/contract/schemathesis/. Starts a server unless API names one. With
# the argument install it only installs its tools.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
[[ ${API:-} || ${1:-} == install ]] || exec "$root/scripts/with-server.sh" "$0"
cd "$root"

tool=scripts/contract/schemathesis
logs=.data/contract/schemathesis
venv=.data/contract/venv
limits=read=1000000,write=1000000,ai=1000000
export tool logs venv limits program
export SEED=${SEED:-1} EXAMPLES=${EXAMPLES:-100} STATEFUL=${STATEFUL:-20}
export PYTHONPATH=$tool PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=$logs/hypothesis

# install creates the virtual environment, again if the pinned versions have changed.
install() {
  if cmp -s "$tool/requirements.txt" "$venv/installed.txt"; then return; fi
  rm -rf "$venv"
  mkdir -p "$(dirname "$venv")"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$tool/requirements.txt"
  cp "$tool/requirements.txt" "$venv/installed.txt"
}

# token ACCOUNT NAME prints a token of the account that may do everything.
token() {
  cardvault token create --account "$1" --name "$2" --limits "$limits" --scopes read,write,webhooks --json | jq -er .token
}

# stranger prints a token of an empty account.
stranger() { token "$(cardvault account create --sandbox --name Stranger --json | jq -er .id)" stranger; }

# newcomer NAME prints a token of an account with the demo's cards.
newcomer() { token "$(cardvault sandbox --name "$1" --json 2>"$logs/$1.sandbox.log" | jq -er .account_id)" "$1"; }

# identities prints the senders of requests: the owner, and a stranger who must not see the owner's data.
identities() {
  jq -n --arg owner "Bearer $TOKEN" --arg stranger "Bearer $STRANGER" \
    '{auth: [{name: "owner", fixedHeaders: [{name: "Authorization", value: $owner}]},
             {name: "stranger", fixedHeaders: [{name: "Authorization", value: $stranger}]}]}'
}

# generate NAME DOCUMENT ADDRESS ARGUMENT... runs one process with one thread: Python runs only one at a time.
generate() {
  local name=$1 document=$2 address=$3 status=0
  shift 3
  export AUTH_FILE=$logs/$name.json
  (umask 077 && identities >"$AUTH_FILE")
  "$venv/bin/schemathesis" --config-file "$tool/schemathesis.toml" run "$document" --url "$address" --workers 1 --seed "$SEED" \
    --no-color --report-junit-path "$logs/$name.xml" "$@" >"$logs/$name.log" 2>&1 || status=$?
  rm -f "$AUTH_FILE"
  return "$status"
}

# report NAME ARGUMENT... runs generate and prints a summary.
report() {
  local name=$1
  if generate "$@"; then
    say "$name: $(sed -n 's/^ *\([0-9]* generated, .*\)/\1/p' "$logs/$name.log"), $(sed -n 's/^=* .* \(in [0-9.]*s\) =*$/\1/p' "$logs/$name.log")"
    return
  fi
  # The log lists broken links, such as to the page after the last, at length: they are left out.
  sed -n '/^=* \(ERRORS\|FAILURES\|WARNINGS\) =*$/,$p' "$logs/$name.log" |
    sed '/^=* Stateful tests =*$/,/^=* SUMMARY =*$/{/SUMMARY/!d}' | head -n 200
  say "$name: failed; all of it is in $logs/$name.log; again with SEED=$SEED"
  return 1
}

# canary tests the test: requests against a wrong contract must fail.
canary() {
  local sign
  sed -e 's/\[not_implemented\]/[unavailable]/' -e '/ message: {/s/maxLength: 2000/maxLength: 2/' openapi/v2.yaml >"$logs/canary.yaml"
  if generate canary "$logs/canary.yaml" "$API/v2" --max-examples 5; then
    say "canary: a false contract passes"
    return 1
  fi
  for sign in 'not_implemented is not among' 'Response violates schema'; do
    grep -q "$sign" "$logs/canary.log" || { say "canary: no '$sign' in $logs/canary.log"; return 1; }
  done
  say "canary: a false contract is found out"
}

# one NAME runs a part. Each part has an account of its own, so that no other part or test changes its data.
one() {
  local unit=(--phases examples,coverage,fuzzing --max-examples "$EXAMPLES")
  TOKEN=$(newcomer "$1")
  case $1 in
    canary) canary ;;
    v1-cards) report "$1" openapi/v1.yaml "$API" "${unit[@]}" --include-tag cards ;;
    v1-batches) report "$1" openapi/v1.yaml "$API" "${unit[@]}" --include-tag batches --include-tag events --include-tag jobs ;;
    v1-sales) report "$1" openapi/v1.yaml "$API" "${unit[@]}" --include-tag sales --include-tag webhooks ;;
    v1-others)
      report "$1" openapi/v1.yaml "$API" "${unit[@]}" --exclude-tag cards --exclude-tag batches --exclude-tag events \
        --exclude-tag sales --exclude-tag webhooks --exclude-tag jobs
      ;;
    v1-stateful)
      # What walks find differs with what is there, at which Hypothesis ends a suite: the time has suites follow one another.
      # A form with files, which is not checked against its schema, would be taken for an invalid one that is accepted.
      report "$1" openapi/v1.yaml "$API" --phases stateful --exclude-operation-id scanCards \
        --max-examples "$EXAMPLES" --max-time "$STATEFUL"
      ;;
    v2) report "$1" openapi/v2.yaml "$API/v2" --max-examples "$EXAMPLES" ;;
  esac
}

install
[[ ${1:-} != install ]] || exit 0
mkdir -p "$logs"
STRANGER=$(stranger)
export STRANGER
export -f say token newcomer identities generate report canary one
say "seed $SEED, $EXAMPLES examples for each operation, $STATEFUL s of walks"
# The longest first, and one more than there are processors, because each waits for responses.
printf '%s\n' v1-cards v1-sales v1-others v1-batches v1-stateful v2 canary | xargs -P "$(($(nproc) + 1))" -I NAME bash -euo pipefail -c 'one NAME'
