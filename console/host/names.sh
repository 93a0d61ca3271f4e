#!/bin/sh
# names.sh FOLDER PLACE...: for each #include in the files below the PLACEs of a name that no file there has, but one in letters of another
# case (or with "/" for "\"), writes FOLDER/NAME, which includes that one. Part of pica200, MIT License.
to=$1 tab=$(printf '\t'); shift
find "$@" -name .git -prune -o -type f -iname '*.h*' -print > "$to.list"
grep -rhE --include='*.[ch]*' --include='*.[CH]*' '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' "$@" | awk -v list="$to.list" '
BEGIN {
    while ((getline file < list) > 0)
        for (path = file; path != ""; path = slash ? substr(path, slash + 1) : "") { # a/b/c.h is also b/c.h and c.h
            exact[path] = 1
            if (!(tolower(path) in at)) at[tolower(path)] = file
            slash = index(path, "/")
        }
}
{
    sub(/^[^"<]*["<]/, "")
    sub(/[">].*/, "")
    path = tolower($0)
    gsub(/\\/, "/", path)
    if (!($0 in exact) && path in at && !seen[$0]++) print $0 "\t" at[path]
}' | while IFS=$tab read -r name file; do
    case $name in ../*|*/../*|/*) continue ;; esac
    [ -d "$to" ] || mkdir -p "$to"
    case $name in */*) mkdir -p "$to/${name%/*}" ;; esac
    [ -e "$to/$name" ] || echo "#include \"$(cd "$(dirname "$file")" && pwd)/${file##*/}\"" > "$to/$name"
done
rm "$to.list"
