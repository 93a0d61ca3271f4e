package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The builds run alternately, and each one's minimum over the rounds counts, which removes noise.
func TestRatiosOfAlternatingRuns(t *testing.T) {
	var calls []string
	m := func(binary, trace string, workers, repeat int) (float64, error) {
		calls = append(calls, fmt.Sprint(binary, " ", trace, " ", workers))
		noise := []float64{3, 0, 1}[(len(calls)-1)/2%3]
		base := map[string]float64{"old a.ctf": 8, "new a.ctf": 4, "old b.ctf": 8, "new b.ctf": 1}[binary+" "+trace]
		return base/float64(workers) + noise, nil
	}
	var out strings.Builder
	require.NoError(t, run([]string{"-old", "old", "-new", "new", "-rounds", "3", "a.ctf", "b.ctf"}, &out, m))
	require.Equal(t, []string{"old a.ctf 1", "new a.ctf 1", "old a.ctf 1", "new a.ctf 1"}, calls[:4])
	require.Len(t, calls, 2*2*2*3)
	require.Contains(t, out.String(), "| a | 8.000 | 4.000 | 2.00 | 4.000 | 2.000 | 2.00 |\n")
	require.Contains(t, out.String(), "| b | 8.000 | 1.000 | 8.00 | 4.000 | 0.500 | 8.00 |\n")
	require.Contains(t, out.String(), "| geometric mean | | | 4.00 | | | 4.00 |\n")
}

func TestErrors(t *testing.T) {
	m := func(string, string, int, int) (float64, error) { return 0, errors.New("broken") }
	for _, args := range []string{"", "a.ctf", "-old x", "-old x -workers 0 a.ctf", "-old x -workers 1,x a.ctf", "-old x -rounds 0 a.ctf"} {
		require.Error(t, run(strings.Fields(args), &strings.Builder{}, m), args)
	}
	require.ErrorContains(t, run([]string{"-old", "x", "a.ctf"}, &strings.Builder{}, m), "x bench a.ctf: broken")
}
