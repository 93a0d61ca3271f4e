# functions.awk kind=own TABLE... kind=table TABLE kind=names NAMES kind=headers TEXT: writes C for those NAMES that the
# preprocessed TEXT declares, as the tables say; the functions without a row to the file "missing", and names that are
# neither declared nor in an own table to the file "unknown". Part of pica200, MIT License.
kind == "own" || kind == "table" {
    sub(/#.*/, "")
    result = 0
    for (i = 2; i <= NF && !result; i++) if ($i ~ /^-?[0-9]/) result = i
    if (NF && !result) bad("no result in \"" $0 "\"")
    for (i = 1; i < result; i++) {
        pattern = $i
        gsub(/\*/, ".*", pattern)
        names[++rows] = "^" pattern "$"
        answer[rows] = $result
        if (kind == "own") own = rows
        for (j = result + 1; j <= NF; j++) outputs[rows] = outputs[rows] " " $j
    }
    next
}
kind == "names" { wanted[$0] = 1; next }
{
    line = $0
    statement = statement " " line
    depth += gsub(/{/, "", line) - gsub(/}/, "", line)
    if (depth == 0 && line ~ /[;}][ \t]*$/ || depth == 0 && $0 ~ /}[ \t]*$/) {
        if (statement !~ /{/) declared(statement)
        statement = ""
    }
}

function bad(text) {
    print FILENAME ": line " FNR ": " text | "cat >&2"
    failed = 1
    exit 1
}

# Splits "result name(arguments);", or "extern type name;".
function declared(text,    open, head, name) {
    gsub(/[ \t]+/, " ", text)
    sub(/^ (extern )?/, "", text)
    if (text ~ /__asm__|^typedef|^static/) return
    sub(/ ?__attribute__ ?\(\(.*\)\)/, "", text)
    sub(/ ?; ?$/, "", text)
    open = index(text, "(")
    head = open ? substr(text, 1, open - 1) : text
    sub(/ $/, "", head)
    if (!match(head, /[A-Za-z_][A-Za-z_0-9]*$/)) return
    name = substr(head, RSTART)
    head = substr(head, 1, RSTART - 1)
    if (!(name in wanted)) return
    delete wanted[name]
    if (!open) print text ";"
    else define(name, head, substr(text, open + 1, length(text) - open - 1))
}

function define(name, type, arguments,    i, n, r, row, parts, value, at) {
    row = row_of(name, rows)
    if (row > rows) {
        print name > missing
        print type name "(" arguments ") { host_missing(\"" name "\", __builtin_return_address(0)); }"
        return
    }
    print type name "(" arguments ") {"
    n = split(arguments, parts, ",")
    for (i = 1; i <= n; i++) {
        gsub(/\[[^]]*\]| $/, "", parts[i])
        match(parts[i], /[A-Za-z_0-9]*$/)
        parts[i] = substr(parts[i], RSTART)
    }
    n = split(outputs[row], out, " ")
    for (i = 1; i <= n; i++) {
        at = parts[out[i] + 0]
        value = out[i]
        sub(/^[0-9]+/, "", value)
        r = substr(value, 2)
        if (value ~ /^\./) print "    if (" at ") " at "->" r ";"
        else if (value ~ /^=/) print "    if (" at ") *" at " = (__typeof__(*" at "))" r ";"
        else print "    if (" at ") __builtin_memset((void *)" at ", 0, sizeof *" at (value ~ /^\*/ ? " * (unsigned)" parts[r] : "") ");"
    }
    if (type ~ /\*/) print "    static char none[4096];\n    return (void *)none;"
    else if (type !~ /^ ?void $/) print "    return (" type "){" answer[row] "};"
    print "}"
}

function row_of(name, last,    row) {
    for (row = 1; row <= last; row++) if (name ~ names[row]) break
    return row
}

END {
    if (failed) exit 1
    for (name in wanted)
        if ((row = row_of(name, own)) <= own) print "long " name "(void) { return " answer[row] "; }"
        else print name > unknown
}
