#!/usr/bin/env bash
# Runs every request of the Postman collection: scripts/contract/collection/run.sh
#
# Starts a server if none is given by API.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../../lib.sh"
[[ ${API:-} ]] || exec "$root/scripts/with-server.sh" "$0"

tool=$root/scripts/contract/collection
folder=$root/.data/contract/collection

"$tool/install.sh"
mkdir -p "$folder"
# An account of its own: the collection sells its cards, and other tests on the server count their events.
account=$(cardvault sandbox --name Collection --json | jq -er .account_id)
TOKEN=$(cardvault token create --account "$account" --name collection --scopes read,write,webhooks --json | jq -er .token)
export TOKEN
# The photo to upload is one of the demo's, whose card the service can identify. Those of the other set have no set until
# the service has identified them.
photo=$(curl -fsS -H "Authorization: Bearer $TOKEN" "$API/cards?set=Lantern%20Tides&has_photo=true&limit=1" |
  jq -er '.data[0].photos[0].url')
curl -fsS -o "$folder/card.jpg" "$photo"
node "$tool/run.mjs" "$root/gen/collection/cardvault.postman_collection.json" "$folder"
