package asm

import (
	"errors"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A number is the longest prefix that Go parses as one. Unlike strtod and strtoll, Go allows no leading blanks and requires an
// exponent in hexadecimal numbers.
func TestNumberPrefixes(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	random := func(letters string) string {
		b := []byte(strings.Repeat(" \t", rng.Intn(8)/7))
		for range 1 + rng.Intn(7) {
			b = append(b, letters[rng.Intn(len(letters))])
		}
		return string(b)
	}
	longest := func(s string, number func(string) bool) int {
		for n := len(s); n > 0; n-- {
			if number(s[:n]) {
				return n
			}
		}
		return 0
	}
	for range 20000 {
		s := random("00189xXafFpPeE..+-g")
		plain := strings.TrimLeft(s, " \t")
		want := 0.0
		n := longest(plain, func(p string) bool {
			for _, text := range []string{p, p + "p0"} {
				if v, err := strconv.ParseFloat(text, 64); err == nil || errors.Is(err, strconv.ErrRange) {
					want = v
					return true
				}
			}
			return false
		})
		v, tail, ok := parseFloat(s)
		require.Equal(t, n > 0, ok, "%q", s)
		if !ok {
			require.Equal(t, s, tail)
			continue
		}
		require.Equal(t, math.Float64bits(want), math.Float64bits(v), "%q", s)
		require.Equal(t, plain[n:], tail, "%q", s)
	}
	for range 20000 {
		s, base := random("001789xXafFg+-"), 10*rng.Intn(2)
		if rng.Intn(20) == 0 {
			s += "77777777777777777777"
		}
		plain := strings.TrimLeft(s, " \t")
		want := int64(0)
		n := longest(plain, func(p string) bool {
			v, err := strconv.ParseInt(p, base, 64)
			want = v
			return err == nil || errors.Is(err, strconv.ErrRange)
		})
		v, tail, ok := parseLong(s, base)
		require.Equal(t, n > 0, ok, "%q", s)
		if !ok {
			require.Equal(t, s, tail)
			continue
		}
		require.Equal(t, want, v, "%q in base %d", s, base)
		require.Equal(t, plain[n:], tail, "%q in base %d", s, base)
		if base == 10 {
			require.Equal(t, int32(want), atoi(s), "%q", s)
		}
	}
	for _, c := range []struct {
		text string
		want float64
		tail string
	}{
		{"inf", math.Inf(1), ""}, {"-INFx", math.Inf(-1), "x"}, {"+infinity1", math.Inf(1), "1"}, {"-Infinit", math.Inf(-1), "init"},
		{"nan", math.NaN(), ""}, {"-NaN2", math.NaN(), "2"}, {"nan(a_9)z", math.NaN(), "z"}, {"nan()", math.NaN(), ""}, {"nan(a", math.NaN(), "(a"}, {"nan(a-)", math.NaN(), "(a-)"}, {" nan x", math.NaN(), " x"},
	} {
		v, tail, ok := parseFloat(c.text)
		require.True(t, ok, c.text)
		require.Equal(t, c.tail, tail, c.text)
		require.Equal(t, math.IsNaN(c.want), math.IsNaN(v), c.text)
		require.Equal(t, strings.HasPrefix(c.text, "-"), math.Signbit(v), c.text)
		if !math.IsNaN(v) {
			require.Equal(t, c.want, v, c.text)
		}
	}
}
