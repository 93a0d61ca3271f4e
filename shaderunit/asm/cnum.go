package asm

import (
	"math"
	"strconv"
	"strings"

	"pica200/internal/lazy"
)

// Numbers are parsed like C's strtoll, atoi and atof: leading white space is
// skipped, the longest valid prefix counts, and the rest is ignored. Existing
// sources depend on this ("r0," is r0, "1.0f" is 1.0, c010 is c8).

func skipSpace(s string) string { return strings.TrimLeft(s, space) }

// The longest numbers at the start of a text. In base 0 a number starts with 0x if
// it is hexadecimal, with 0 if it is octal.
var (
	cDecimal = lazy.Regexp(`^[+-]?[0-9]+`)
	cLong    = lazy.Regexp(`^[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)`)
	cFloat   = lazy.Regexp(`(?i)^[+-]?(inf(inity)?|nan(\([a-z0-9_]*\))?|` +
		`0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?[0-9]+)?|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)`)
)

// parseLong is strtoll: base 0 takes 0x and 0 prefixes, base 10 does not. It returns
// the value (clamped to 64 bits), the text that follows, and whether there was a digit.
func parseLong(s string, base int) (v int64, tail string, ok bool) {
	number := cDecimal
	if base == 0 {
		number = cLong
	}
	p := skipSpace(s)
	text := number().FindString(p)
	if text == "" {
		return 0, s, false
	}
	v, _ = strconv.ParseInt(text, base, 64) // out of range gives the nearest number
	return v, p[len(text):], true
}

// atoi is C's atoi with a 64-bit long: strtol, truncated to 32 bits.
func atoi(s string) int32 {
	v, _, _ := parseLong(s, 10)
	return int32(v)
}

// parseFloat is strtod. It returns 0 and ok false if no number starts here.
func parseFloat(s string) (v float64, tail string, ok bool) {
	p := skipSpace(s)
	text := cFloat().FindString(p)
	if text == "" {
		return 0, s, false
	}
	number, _, _ := strings.Cut(strings.ToLower(text), "(")
	if strings.Contains(number, "x") && !strings.Contains(number, "p") {
		number += "p0" // C does not require an exponent in hexadecimal, Go does
	}
	if unsigned := strings.TrimLeft(number, "+-"); unsigned == "nan" {
		number = unsigned // Go's has no sign
	}
	v, _ = strconv.ParseFloat(number, 64) // out of range gives ±Inf, as strtod does
	if text[0] == '-' {
		v = math.Copysign(v, -1)
	}
	return v, p[len(text):], true
}
