#!/usr/bin/env bash
# Tests the TypeScript client: format, types, unit tests, and tests against a real service. They install the packed client
# into an empty project, compile and run it there, bundle it for browsers, run it in Chromium, and run the code of its
# README. Run it with scripts/with-server.sh.
set -euo pipefail
program=sdk/typescript
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$root/gen/client/typescript"

# install_packed packs the client and installs it into an empty project. It sets PROJECT to its folder.
install_packed() {
  local packed
  PROJECT=$PWD/build/project
  export PROJECT
  mkdir "$PROJECT"
  packed=$(npm pack --silent --pack-destination build)
  echo '{ "private": true, "type": "module" }' >"$PROJECT/package.json"
  npm install --prefix "$PROJECT" --offline --no-audit --no-fund --loglevel=error "$PWD/build/$packed"
}

: "${API:?run it as scripts/with-server.sh scripts/sdk/typescript.sh}" "${TOKEN:?}" "${ACCOUNT:?}"
command -v chromium-headless-shell >/dev/null || die "chromium-headless-shell is missing: run scripts/install.sh test"

use_node
tools/install.sh
say "format"
node_modules/.bin/prettier --check --log-level warn .
say "types, tests"
npm test --silent
say "the package, in a project of its own"
install_packed
say "tests against $API"
node --test --test-timeout=180000 --test-reporter=spec build/test/e2e/*.test.js
