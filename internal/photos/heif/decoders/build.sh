#!/usr/bin/env bash
# Compiles the decoders to WebAssembly: internal/photos/heif/decoders/build.sh [DIR]
#
# It needs Debian 12 with source packages enabled, and clang-14, lld-14, wasi-libc, libc++-14-dev-wasm32,
# libc++abi-14-dev-wasm32, libclang-rt-14-dev-wasm32 and dpkg-dev. It downloads the sources of libde265 and dav1d with
# apt-get into DIR, by default a temporary folder, unless they are there. README.md names their versions.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d)}
cd "$work"
for source in libde265 dav1d; do
  compgen -G "$source-*/" >/dev/null || apt-get source "$source"
done

common=(--target=wasm32-wasi -O3 -msimd128 -DNDEBUG -D_WASI_EMULATED_SIGNAL -fvisibility=hidden -w -I "$here/compat")
library=(-finstrument-function-entry-bare)
link=(--target=wasm32-wasi -mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections -Wl,-z,stack-size=1048576)

# compile OBJECT COMPILER ARGUMENT... compiles a file of a library unless it is compiled.
compile() {
  local object=$1
  shift
  [[ -e $object ]] || "$@" "${common[@]}" "${library[@]}" -c -o "$object"
}

build_hevc() {
  local source
  source=$(echo "$PWD"/libde265-*/)
  mkdir -p hevc
  for file in "$source"/libde265/*.cc; do
    case $(basename "$file" .cc) in
      en265 | image-io | visualize) continue ;;
    esac
    compile "hevc/$(basename "$file").o" clang++-14 -std=c++11 -fno-exceptions -I "$source" -I "$source/libde265" \
      -include cstdint -DHAVE_STDINT_H -Dmemalign=aligned_alloc "$file"
  done
  clang++-14 "${common[@]}" -std=c++11 -fno-exceptions -I "$source" "$here/hevc.cc" \
    check.o hevc/*.o "${link[@]}" -o hevc.wasm
}

build_av1() {
  local source flags
  source=$(echo "$PWD"/dav1d-*/)
  mkdir -p av1/config
  cp "$here/compat/config.h" av1/config/config.h
  echo '#define DAV1D_VERSION "Debian"' >av1/config/vcs_version.h
  sed 's/@.*@/0/' "$source/include/dav1d/version.h.in" >av1/config/version.h
  flags=(-std=c11 -I av1/config -I "$source" -I "$source/include" -I "$source/include/dav1d" -I "$source/src")
  for file in "$source"/src/*.c; do
    case $file in
      *_tmpl.c)
        for depth in 8 16; do
          compile "av1/$(basename "$file").$depth.o" clang-14 "${flags[@]}" -DBITDEPTH=$depth "$file"
        done
        ;;
      *) compile "av1/$(basename "$file").o" clang-14 "${flags[@]}" "$file" ;;
    esac
  done
  clang-14 "${common[@]}" "${flags[@]}" "$here/av1.c" check.o av1/*.o "${link[@]}" -o av1.wasm
}

clang-14 "${common[@]}" -c -o check.o "$here/check.c"
build_hevc
build_av1
for module in hevc av1; do
  gzip -9nc "$module.wasm" >"$here/$module.wasm.gz"
done
