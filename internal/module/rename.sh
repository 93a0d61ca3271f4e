#!/usr/bin/env bash
# Gives the module another path, in go.mod, imports and pages: make module MODULE=host/owner/name. The go.mod of this folder comes
# last, so that an interrupted run can be repeated.
set -euo pipefail
if ! [[ ${1-} =~ ^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)+$ && ! $1 =~ /v[0-9]+$ ]]; then
  echo "usage: make module MODULE=host/owner/name, the path under which the repository is to be found; without /v2, because this is v0" >&2
  exit 2
fi
go=${GO:-go}
old=$($go list -m)
new=$1
folders=$(printf '|%s' */)
folders=${folders//\//}
export old new folders=${folders:1}
files() { find . -path './.*' -prune -o -type f -name "$1" -print0; }
files '*.go' | xargs -0 perl -pi -e '
  $code = 1 if /^(func|type|const|var)\b/;
  s{^(\s*(?:import\s+)?(?:[\w.]+\s+)?)"\Q$ENV{old}\E(?=[/"])}{$1"$ENV{new}} unless $code;
  $code = 0 if eof'
"$($go env GOROOT)/bin/gofmt" -w .
# Before an existing folder and in arguments of the go command: elsewhere the word is the program.
files '*.md' | xargs -0 perl -pi -e 's{(^|[\s"\x27(=`])\Q$ENV{old}\E(?=/(?:$ENV{folders})\b|\@| v[0-9]| => |=\.\.?/)}{$1$ENV{new}}g'
{ files go.mod | grep -zxv ./go.mod; printf './go.mod\0'; } |
  xargs -0 perl -pi -e 's{^(module\s+|\s*(?:require\s+|replace\s+)?)\Q$ENV{old}\E(?=[/\s])}{$1$ENV{new}}'
echo "the module is $new"
