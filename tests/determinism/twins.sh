#!/usr/bin/env bash
# Runs the tests that hold the portable kernels to the bits of the plain ones, built for
# WebAssembly in Node and for arm64 under qemu. What is not here is left out, and said.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
GO=${GO:-go}
export GOTOOLCHAIN=go1.27.3 GOEXPERIMENT=simd CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$("$GO" env GOROOT) || { echo "$GOTOOLCHAIN, which has vectors for these, cannot be had, so they are left out"; exit 0; }

try() { # try NAME GOOS GOARCH COMMAND...
  local name=$1 os=$2 arch=$3; shift 3
  for folder in fragment raster shaderunit geometry pica/pixels assets/texture; do
    GOOS=$os GOARCH=$arch "$GO" test -trimpath -c -o "$work/test" "./$folder"
    echo "$name: $folder"
    (cd "$folder" && "$@" "$work/test" -test.short -test.run 'SameBits|Kernel|Twins|Vector|LocateAll|OfLines|Of16Bits|Tiles|Means')
  done
}
if command -v node >/dev/null 2>&1; then
  try WebAssembly js wasm node --stack-size=8192 "$root/lib/wasm/wasm_exec_node.js"
else
  echo "node is not here, so WebAssembly is left out"
fi
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if [ "$("$GO" env GOARCH)" = arm64 ]; then qemu=env; fi
if [ -n "$qemu" ]; then
  try arm64 linux arm64 "$qemu"
else
  echo "qemu-aarch64 is not here, so arm64 is left out"
fi
