# For scripts that are about released contracts: . scripts/contract/released.sh
# shellcheck shell=bash

# newest_release [FOLDER] prints the path of the contract released last, or nothing.
newest_release() {
  find "${1:-openapi/released}" -maxdepth 1 -name 'v1-*.yaml' | sort -V | tail -n 1
}

# version_of PATH prints the version of a released contract.
version_of() { local name; name=$(basename "$1" .yaml); echo "${name#v1-}"; }
