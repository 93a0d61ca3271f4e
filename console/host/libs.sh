#!/bin/sh
# libs.sh LIBS...: prints how to compile and link with this system's libraries of those names, as portlibs.txt maps them, or "missing", and
# then on the standard error what to install. LIB_NAME of the environment has the flags of one that is not in the table.
table=$(dirname "$0")/portlibs.txt flags= missing=
no() { echo "LIBS: -l$name $1" >&2; missing=yes; }
for library; do
    case $library in -l*) name=${library#-l} ;; *) continue ;; esac
    case $name in citro[23]d|citro[23]dd|ctru|ctrud|m|c|gcc|stdc++|supc++|pthread|sysbase) continue ;; esac
    if given=$(printenv "LIB_$(echo "$name" | tr -c 'A-Za-z0-9\n' _)"); then flags="$flags $given"; continue; fi
    row=$(awk -v name="$name" '!/^#/ { for (i = 1; i < NF - 1; i++) if ($i == name) print $(NF - 1), $NF }' "$table")
    package=${row#* } known=${row% *}
    if [ -z "$row" ]; then no "is in no package that is known here: build it for this machine and give its flags with LIB_$name=\"-I... -L... -l$name\"; LIB_$name= leaves it out"
    elif [ "$known" != - ]; then
        if found=$(pkg-config --cflags --libs "$known" 2>/dev/null); then flags="$flags $found"
        else no "needs the package $package (pkg-config does not know $known)"; fi
    elif echo 'int main(void) { return 0; }' | ${CC:-cc} -x c - "-l$name" -o /dev/null 2>/dev/null; then flags="$flags -l$name"
    else no "needs the package $package"; fi
done
if [ -n "$missing" ]; then echo missing; else echo $flags; fi
