#!/bin/sh
# embed.sh FILE FOLDER: writes FOLDER/NAME.s and FOLDER/NAME.h, which put a file into
# a program as bin2s of the console's tools does: NAME, NAME_end, NAME_size (NAME_len for buildtools); prints the path of NAME.s.
set -e
name=$(basename "$1" | sed 's/[^A-Za-z0-9_]/_/g; s/^[0-9]/_&/')
file=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
size=$(wc -c < "$1" | tr -d ' ')
cat > "$2/$name.s" <<END
    .section .rodata
    .balign 16
    .global $name, ${name}_end, ${name}_size
$name:
    .incbin "$file"
${name}_end:
    .byte 0
    .balign 8
${name}_size:
    .quad $size
    .section .note.GNU-stack,"",%progbits
END
cat > "$2/$name.h" <<END
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
extern const uint8_t $name[], ${name}_end[];
extern const size_t ${name}_size;
#define ${name}_len ${name}_size
#ifdef __cplusplus
}
#endif
END
echo "$2/$name.s"
