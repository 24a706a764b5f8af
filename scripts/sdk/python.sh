#!/usr/bin/env bash
# Tests the Python client: scripts/with-server.sh scripts/sdk/python.sh
#
# Style and types, the package against a fake service, the wheel installed into an empty environment, and there the
# README's examples and the rest against the real service, which the environment names: API, TOKEN, ACCOUNT.
set -euo pipefail
program=sdk/python
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
package=$root/gen/client/python
: "${API:?}" "${TOKEN:?}" "${ACCOUNT:?run me by scripts/with-server.sh}"

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

# build_wheel makes the wheel of a copy, and the wheel of the source distribution, which must be the same.
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

# install_wheel makes an environment that holds the package and what it depends on, and nothing else.
install_wheel() {
  python3 -m venv "$work/empty"
  "$work/empty/bin/python" -m pip --quiet --disable-pip-version-check install --no-index \
    --find-links "$root/.data/python/wheels" "$work"/dist/*.whl
}

say "style and types"
check
say "the package against a fake service"
"$tools/python" -m pytest
say "wheel"
build_wheel
install_wheel
say "the real service"
CARDVAULT_PYTHON=$work/empty/bin/python "$tools/python" -m pytest tests/server
