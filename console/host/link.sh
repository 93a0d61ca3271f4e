#!/bin/sh
# link.sh FOLDER HEADERS COMMAND...: links a program. What it lacks of the functions that <3ds.h> in the folders of HEADERS (colons
# between) declares is made of the table functions.txt, before which those of $FUNCTIONS are asked; what no row has stops the program
# when it is called, and is listed here. The linker reports all other names.
folder=$1 here=$(dirname "$0") headers="-I$(dirname "$0")/src/include -I$(echo "$2" | sed 's/:/ -I/g')"; shift 2
rm -f "$folder/functions.o" "$folder/missing.txt" "$folder/unknown.txt"
LC_ALL=C "$@" 2> "$folder/link.log" && { cat "$folder/link.log" >&2; exit 0; }
sed -n "s/.*undefined reference to [\`']\(.*\)'.*/\1/p" "$folder/link.log" | sort -u > "$folder/names.txt"
[ -s "$folder/names.txt" ] || { cat "$folder/link.log" >&2; exit 1; }
includes="#include <3ds.h>
_Noreturn void host_missing(const char *, const void *);
const char host_missing_list[] = \"$(cd "$folder" && pwd)/missing.txt\";"
echo "$includes" | ${CC:-cc} -E -P -w $headers -x c - > "$folder/declared.txt" &&
echo "$includes" > "$folder/functions.c" &&
awk -v missing="$folder/missing.txt" -v unknown="$folder/unknown.txt" -f "$here/functions.awk" kind=own $FUNCTIONS kind=table "$here/functions.txt" \
    kind=names "$folder/names.txt" kind=headers "$folder/declared.txt" >> "$folder/functions.c" || exit 1
if [ -s "$folder/unknown.txt" ]; then
    grep -F -f "$folder/unknown.txt" "$folder/link.log" >&2
    echo "These names are in no library and in no header of the system: $(sort "$folder/unknown.txt" | tr '\n' ' ')" >&2
    echo "LIBS may lack a library, SOURCES a folder; a file of rows as in $here/functions.txt, given with FUNCTIONS=FILE, answers for them." >&2
    exit 1
fi
if [ -s "$folder/missing.txt" ]; then
    sort -o "$folder/missing.txt" "$folder/missing.txt"
    echo "These functions of the system are missing; a call stops the program: $(tr '\n' ' ' < "$folder/missing.txt")" >&2
    echo "To answer for them, write rows as in $here/functions.txt to a file and give it with FUNCTIONS=FILE, or C functions to a folder of SOURCES." >&2
fi
${CC:-cc} -O1 -w -fno-builtin -fPIE $headers -c "$folder/functions.c" -o "$folder/functions.o" && exec "$@" "$folder/functions.o"
