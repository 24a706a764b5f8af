#!/usr/bin/env bash
# All that must hold of the TypeScript client: format, types, tests by itself, and tests against a real service: the packed
# client is installed into an empty project, compiled and run there, bundled for browsers and run in Chromium, and the
# README's code is run. Run it within scripts/with-server.sh.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root/gen/client/typescript"

node_version=22.23.3

say() { printf 'sdk/typescript: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# use_node takes a Node.js that the client supports: Debian 12's own is too old.
use_node() {
  local major machine tools=$root/.data/node
  major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  [[ $major -lt 20 ]] || return 0
  case $(uname -m) in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) die "Node.js 20 or later is needed; here is $(node --version)" ;;
  esac
  local package=node-linux-$machine
  if ! [[ $("$tools/node_modules/$package/bin/node" --version 2>/dev/null) == "v$node_version" ]]; then
    say "installing Node.js $node_version in place of $(node --version)"
    npm install --prefix "$tools" --no-save --no-audit --no-fund --loglevel=error "$package@$node_version"
  fi
  PATH=$tools/node_modules/$package/bin:$PATH
}

# install_packed packs the client and installs it into an empty project, whose folder PROJECT names then.
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
command -v chromium >/dev/null || die "chromium is missing: run scripts/install.sh test"

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
