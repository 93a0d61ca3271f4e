#!/bin/sh
# apply.sh TREE [recorder | renderer]: puts the calls of pica200_hooks.h into the sources of an
# emulator, and the files that they need. Which emulator it is, and where the calls go,
# the *.hooks beside this file say. Nothing is changed unless every place is found.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=${1:?"usage: apply.sh TREE [recorder | renderer]"}
what=${2:-recorder}
case $what in
recorder) needs="$here/../record/pica200_record.h" ;;
renderer) needs="$here/../capi/pica200.h" ;;
*) echo "apply.sh: \"$what\" is neither recorder nor renderer" >&2; exit 1 ;;
esac
[ -d "$tree" ] || { echo "apply.sh: $tree is no folder" >&2; exit 1; }

# The table whose files are all there.
hooks=
for table in "$here"/*.hooks; do
    if awk -F'\t' '!/^#/ && $1 != "folder" && !seen[$1]++ { print $1 }' "$table" | while read -r file; do
        [ -f "$tree/$file" ] || exit 1
    done; then hooks=$table; fi
done
[ -n "$hooks" ] || { echo "apply.sh: $tree is none of $(cd "$here" && echo *.hooks)" >&2; exit 1; }

folder=$(awk -F'\t' '$1 == "folder" { print $2 }' "$hooks")
[ ! -e "$tree/$folder" ] || { echo "apply.sh: $tree/$folder exists already; take the calls back with the tree's own version control first" >&2; exit 1; }
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
number=0
for file in $(awk -F'\t' '!/^#/ && $1 != "folder" && !seen[$1]++ { print $1 }' "$hooks"); do
    number=$((number + 1))
    awk -F'\t' -v file="$file" -v what="$what" '
        FNR == NR { # the table
            if ($1 == file) { n++; above[n] = $2; text[n] = $3; call[n] = $4; seen[n] = $2 == "-" }
            next
        }
        {
            print
            if ($0 ~ /^[})]/) for (i = 1; i <= n; i++) if (above[i] != "-") seen[i] = 0 # a function ends
            for (i = 1; i <= n; i++) {
                if (!seen[i] && index($0, above[i])) seen[i] = 1
                if (!seen[i] || done[i] || !index($0, text[i])) continue
                done[i] = 1
                end = $0; sub(/[^\r]*/, "", end) # the line ends of the file
                match($0, /^[ \t]*/)
                indent = substr($0, 1, RLENGTH)
                if ($0 ~ /\{[ \r]*$/ && indent !~ / /) indent = indent "\t"
                else if ($0 ~ /\{[ \r]*$/) indent = indent "    "
                sub(/recorder\.c$/, what ".c", call[i])
                print indent call[i] end
            }
        }
        END {
            for (i = 1; i <= n; i++) if (!done[i]) { printf "apply.sh: %s: no \"%s\" behind \"%s\"\n", file, text[i], above[i] > "/dev/stderr"; bad = 1 }
            exit bad
        }' "$hooks" "$tree/$file" > "$new/$number"
    echo "$number $file" >> "$new/list"
done
mkdir -p "$tree/$folder"
cp "$here/src/pica200_hooks.h" "$here/src/$what.c" "$needs" "$tree/$folder/"
while read -r number file; do cat "$new/$number" > "$tree/$file"; done < "$new/list"
echo "$(basename "$hooks" .hooks): $what in $tree/$folder, calls in $(wc -l < "$new/list") files"
