#!/usr/bin/env bash
# Prints the folder of the development tools: a virtual environment under .data/ with the packages of requirements.txt.
# Installs them if they are missing or out of date.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$here/../../.." && pwd)/.data
venv=$data/python
wanted=$here/requirements.txt

die() { echo "python: $*" >&2; exit 1; }

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "the tools need Python 3.11 or later"
python3 -c 'import venv, ensurepip' 2>/dev/null || die "Python's venv is missing: run scripts/install.sh test"
mkdir -p "$data"
exec 9>"$venv.lock"
flock 9
# The file installed has the requirements and the script of the last installation.
if ! "$venv/bin/python" -c '' 2>/dev/null || ! cat "$wanted" "$here/tools.sh" | cmp -s - "$venv/installed"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  pip() { "$venv/bin/python" -m pip --quiet --disable-pip-version-check "$@" >&2; }
  # The tests install the package offline from these wheels.
  pip download --dest "$venv/wheels" --require-hashes --requirement "$wanted"
  pip install --no-index --find-links "$venv/wheels" --require-hashes --requirement "$wanted"
  cat "$wanted" "$here/tools.sh" >"$venv/installed"
fi
echo "$venv/bin"
