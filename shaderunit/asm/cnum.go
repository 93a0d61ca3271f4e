package asm

import (
	"math"
	"strconv"
	"strings"
)

// Numbers are parsed like C's strtoll, atoi and atof: leading white space is
// skipped, the longest valid prefix counts, and the rest is ignored. Existing
// sources depend on this ("r0," is r0, "1.0f" is 1.0, c010 is c8).

func skipSpace(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}

// parseLong is strtoll: base 0 takes 0x and 0 prefixes, base 10 does not. It returns
// the value (clamped to 64 bits), the text that follows, and whether there was a digit.
func parseLong(s string, base int) (v int64, tail string, ok bool) {
	p := skipSpace(s)
	neg := false
	if len(p) > 0 && (p[0] == '+' || p[0] == '-') {
		neg = p[0] == '-'
		p = p[1:]
	}
	if base == 0 {
		base = 10
		if len(p) > 2 && p[0] == '0' && p[1]|0x20 == 'x' && digitValue(p[2]) < 16 {
			base, p = 16, p[2:]
		} else if len(p) > 0 && p[0] == '0' {
			base = 8
		}
	}
	n := 0
	for n < len(p) && digitValue(p[n]) < base {
		n++
	}
	if n == 0 {
		return 0, s, false
	}
	u, err := strconv.ParseUint(p[:n], base, 64)
	switch {
	case neg && (err != nil || u > 1<<63):
		v = math.MinInt64
	case !neg && (err != nil || u > math.MaxInt64):
		v = math.MaxInt64
	case neg:
		v = -int64(u)
	default:
		v = int64(u)
	}
	return v, p[n:], true
}

func digitValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case isAlpha(c):
		return int(c|0x20-'a') + 10
	}
	return 99
}

// atoi is C's atoi with a 64-bit long: strtol, truncated to 32 bits.
func atoi(s string) int32 {
	v, _, _ := parseLong(s, 10)
	return int32(v)
}

// parseFloat is strtod. It returns 0 and ok false if no number starts here.
func parseFloat(s string) (v float64, tail string, ok bool) {
	p := skipSpace(s)
	n := 0
	neg := false
	if n < len(p) && (p[n] == '+' || p[n] == '-') {
		neg = p[n] == '-'
		n++
	}
	sign := 1.0
	if neg {
		sign = -1
	}
	body := p[n:]
	low := strings.ToLower(body)
	switch {
	case strings.HasPrefix(low, "infinity"):
		return math.Inf(int(sign)), body[8:], true
	case strings.HasPrefix(low, "inf"):
		return math.Inf(int(sign)), body[3:], true
	case strings.HasPrefix(low, "nan"):
		tail := body[3:]
		if strings.HasPrefix(tail, "(") {
			k := 1
			for k < len(tail) && (isAlpha(tail[k]) || isDigit(tail[k]) || tail[k] == '_') {
				k++
			}
			if k < len(tail) && tail[k] == ')' {
				tail = tail[k+1:]
			}
		}
		return math.Copysign(math.NaN(), sign), tail, true
	}
	k, hex := floatPrefix(body)
	if k == 0 {
		return 0, s, false
	}
	text := body[:k]
	if hex && !strings.ContainsAny(text, "pP") {
		text += "p0" // C does not require an exponent in hexadecimal, Go does
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range gives ±Inf, as strtod does
	return math.Copysign(f, sign), body[k:], true
}

// floatPrefix returns the length of the unsigned C number at the start of s and
// whether it is hexadecimal; 0 if there is none.
func floatPrefix(s string) (n int, hex bool) {
	base, exp := 10, byte('e')
	i := 0
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' &&
		(digitValue(s[2]) < 16 || s[2] == '.' && len(s) > 3 && digitValue(s[3]) < 16) {
		base, exp, i, hex = 16, 'p', 2, true
	}
	digits := 0
	for i < len(s) && digitValue(s[i]) < base {
		i, digits = i+1, digits+1
	}
	if i < len(s) && s[i] == '.' {
		j := i + 1
		for j < len(s) && digitValue(s[j]) < base {
			j, digits = j+1, digits+1
		}
		if digits > 0 {
			i = j
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(s) && s[i]|0x20 == exp {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			for j < len(s) && isDigit(s[j]) {
				j++
			}
			i = j
		}
	}
	return i, hex
}

// float24Bits converts like the reference assembler: it truncates the mantissa;
// too small numbers become a zero of the same sign, too large ones and NaN
// become infinity. -0 stays -0 in the file; only arithmetic removes it.
func float24Bits(f float32) uint32 {
	i := math.Float32bits(f)
	mantissa := (i & 0x7FFFFF) >> 7
	exponent := int32(i>>23&0xFF) - 127 + 63
	sign := i >> 31
	switch {
	case exponent < 0:
		return sign << 23
	case exponent > 0x7F:
		return sign<<23 | 0x7F<<16
	}
	return sign<<23 | uint32(exponent)<<16 | mantissa
}
