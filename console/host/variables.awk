# variables.awk FILE: prints the variables of a Makefile with their conditions, and the commands that run when it is read, without its rules,
# and those of the files that it includes and that are there, for host.mk.
function read(file,    line, more, kept, words) {
    while ((getline line < file) > 0) {
        sub(/\r$/, "", line)
        while (line ~ /\\$/ && (getline more < file) > 0) {
            sub(/\r$/, "", more)
            line = substr(line, 1, length(line) - 1) " " more
        }
        if (line ~ /^\t/) { # a recipe, or conditions and variables that somebody indents
            if (line !~ /^\t+(ifn?eq|ifn?def|else|endif|export)([ \t(]|$)/ && line !~ /^\t+[A-Za-z_][A-Za-z0-9_]*[ \t]*[:+?]=/) continue
        }
        kept = line
        gsub(/arm-none-eabi-pkg-config/, "pkg-config", kept)
        sub(/^[ \t]*(export[ \t]+)?/, "", kept)
        if (kept ~ /^-?include[ \t]/) {
            split(kept, words, /[ \t]+/)
            sub(/^\$[({](TOPDIR|CURDIR)[)}]\//, "", words[2])
            if (words[2] !~ /^\/|\$|\.\./ && !(words[2] in seen)) { seen[words[2]] = 1; read(words[2]) }
        } else if (kept ~ /^((ifn?eq|ifn?def|else|endif)([ \t(]|$)|\$\(shell )/) print kept
        else if (kept ~ /^[A-Za-z_][A-Za-z0-9_]*[ \t]*[:+?]?=/ && kept !~ /^(CC|CXX|AR|AS|LD|SHELL|VPATH|MAKEFLAGS|HOST|OUT|LIBS_OUT|PICA200|LIBPICA200|INPUT)[ \t]*[:+?]?=/) print kept
    }
    close(file)
}
BEGIN { for (i = 1; i < ARGC; i++) read(ARGV[i]) }
