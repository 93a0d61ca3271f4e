#!/usr/bin/env bash
# Renders the demo, the project's own scenes, and every recorded scene that lies
# beside the project, in builds for other processors, and compares the pictures
# byte for byte: without AVX-512, without AVX2, with GOAMD64=v3 (where Go may fuse
# multiplications and additions), and for arm64 under qemu.
#
#   tests/determinism/run.sh [NAME...]    only the named scenes, under qemu too
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
GO=${GO:-go}
traces=${TRACES:-../shared/conformance/traces}
# Scenes that qemu, some thirty times slower, renders as well.
slow=${SLOW:-demo lit bump geometry-loop simple_tri x_texenv x_texformats x_lights proctex geoshader}
[ $# -eq 0 ] || slow="$*"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # build NAME VAR=VALUE...
  local name=$1; shift
  env CGO_ENABLED=0 "$@" "$GO" build -trimpath -o "$work/$name" ./cmd/pica200
}
build base
build v3 GOAMD64=v3
build arm64 GOARCH=arm64
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if [ "$("$GO" env GOARCH)" = arm64 ]; then qemu=env; fi
if [ -z "$qemu" ]; then
  echo "qemu-aarch64 is not here, so arm64 is left out. On Debian or Ubuntu: apt-get install qemu-user-static"
fi

narrower=
if "$work/base" version | grep -q AVX-512; then narrower=yes; fi

"$work/base" demo -o "$work/demo.ctf"
scenes="$work/demo.ctf $(ls testdata/scenes/*.yaml)"
if [ -d "$traces" ]; then scenes="$scenes $(ls "$traces"/*.ctf)"; fi
failed=0 compared=0
hashes() { (cd "$1" && sha256sum -- *.png); }
compare() { # compare HOW DIRECTORY
  compared=$((compared + 1))
  if ! diff <(hashes "$work/want") <(hashes "$2") >"$work/diff"; then
    echo "FAIL $name: $1 differs:"; cat "$work/diff"; failed=1
  fi
}
for scene in $scenes; do
  name=$(basename "$scene")
  name=${name%.*}
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  rm -rf "$work"/{want,got}
  "$work/base" render "$scene" -q -o "$work/want/" --workers 1
  for how in "2 workers:base render $scene --workers 2" "7 workers:base render $scene --workers 7" \
             "GOAMD64=v3:v3 render $scene"; do
    rm -rf "$work/got"
    # shellcheck disable=SC2086
    "$work"/${how#*:} -q -o "$work/got/"
    compare "${how%%:*}" "$work/got"
  done
  if [ -n "$narrower" ]; then
    rm -rf "$work/got"
    GODEBUG=cpu.avx512f=off "$work/base" render "$scene" -q -o "$work/got/"
    compare "without AVX-512" "$work/got"
  fi
  rm -rf "$work/got"
  PICA200_NOSIMD=1 "$work/base" render "$scene" -q -o "$work/got/"
  compare "plain Go" "$work/got"
  if [ -n "$qemu" ] && [[ " $slow " == *" $name "* ]]; then
    rm -rf "$work/got"
    "$qemu" "$work/arm64" render "$scene" -q -o "$work/got/"
    compare arm64 "$work/got"
  fi
done
[ $failed = 0 ] && echo "identical: $compared comparisons"
exit $failed
