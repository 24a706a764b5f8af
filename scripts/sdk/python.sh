#!/usr/bin/env bash
# Tests the Python client: scripts/with-server.sh scripts/sdk/python.sh
#
# Checks style and types, runs the unit tests, builds the wheel and installs it into an empty environment, and runs the
# tests against the service in API, TOKEN and ACCOUNT. The README's examples run in the empty environment.
set -euo pipefail
program=sdk/python
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
package=$root/gen/client/python
: "${API:?}" "${TOKEN:?}" "${ACCOUNT:?run it as scripts/with-server.sh scripts/sdk/python.sh}"

tools=$("$package/tools.sh")
work=$(mktemp -d "$root/.data/sdk-python-XXXXXX")
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
cd "$package"

check() {
  "$tools/ruff" format --no-cache --quiet --check . || die "run ruff format in gen/client/python"
  "$tools/ruff" check --no-cache --quiet .
  "$tools/mypy" --cache-dir "$root/.data/python/mypy" --no-error-summary
}

# build_wheel builds the source distribution and the wheel from a copy, and checks the files of the wheel.
build_wheel() {
  cp -r pyproject.toml README.md cardvault "$work"
  (cd "$work" && "$tools/python" -m hatchling build -d dist) >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; die "the package does not build"; }
  "$tools/python" - "$work"/dist/*.whl <<'PYTHON'
import sys, zipfile
names = {name.split("/")[0] + "/" + name.split("/")[1] for name in zipfile.ZipFile(sys.argv[1]).namelist()}
assert "cardvault/py.typed" in names, names
assert {name.split("/")[0].partition("-")[0] for name in names} == {"cardvault"}, names
PYTHON
}

# install_wheel creates an environment with only the package and its dependencies.
install_wheel() {
  python3 -m venv "$work/empty"
  "$work/empty/bin/python" -m pip --quiet --disable-pip-version-check install --no-index \
    --find-links "$root/.data/python/wheels" "$work"/dist/*.whl
}

say "style and types"
check
say "unit tests"
"$tools/python" -m pytest
say "wheel"
build_wheel
install_wheel
say "tests against $API"
CARDVAULT_PYTHON=$work/empty/bin/python "$tools/python" -m pytest tests/server
