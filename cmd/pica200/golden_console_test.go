package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/console/hardware"
	"pica200/tests/testkit"
)

// TestGoldenConsole compares console results that match ours, one that does not, and invalid files.
func TestGoldenConsole(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		return path
	}
	for _, name := range []string{"modulate", "alpha-stencil"} {
		p := hardware.Find(name)
		buffer := testkit.Must(p.Run(t.Context()))(t)
		put(name+".bin", append(p.Header(), buffer...))
	}
	out := ok(t, "golden", "console", dir)
	require.Contains(t, out, "confirmed  rounded to nearest [the rule here]")
	require.Contains(t, out, "2 questions: 2 answered as here, 0 otherwise")

	// A result as if the console dropped fractions.
	p := hardware.Find("modulate")
	buffer := make([]byte, p.ColorBytes())
	own := testkit.Must(p.Run(t.Context()))(t)
	copy(buffer, own)
	for i := 0; i < len(buffer); i += 4 { // a darker picture matches no known answer
		for k := 1; k < 4; k++ {
			buffer[i+k] /= 2
		}
	}
	dark := put("dark.bin", append(p.Header(), buffer...))
	out, _ = ends(t, 1, "golden", "console", dark)
	require.Contains(t, out, "None of the known answers")
	require.Contains(t, out, "1 questions: 0 answered as here, 1 otherwise")

	// Unreadable results are reported; the others are compared.
	short := put("short.bin", p.Header())
	out, errOut := ends(t, 1, "golden", "console", short, filepath.Join(dir, "modulate.bin"))
	require.Contains(t, errOut, fmt.Sprintf("0 bytes behind the header, expected %d", p.ColorBytes()))
	require.Contains(t, out, "1 questions: 1 answered as here, 0 otherwise")
	ends(t, 1, "golden", "console", put("large.bin", make([]byte, hardware.MaxDump+1)))

	ends(t, 1, "golden", "console", t.TempDir())
}

// TestGoldenHomebrew writes the sources twice and keeps other files.
func TestGoldenHomebrew(t *testing.T) {
	testkit.Slow(t)
	dir := filepath.Join(t.TempDir(), "console")
	for range 2 {
		out := ok(t, "golden", "homebrew", "-o", dir)
		require.Contains(t, out, fmt.Sprintf("%d programs", len(hardware.Programs)))
	}
	want := testkit.Must(hardware.Files(t.Context()))(t)
	for name, data := range want {
		require.Equal(t, string(data), mustRead(t, filepath.Join(dir, name)), name)
	}
	mine := filepath.Join(dir, "source", "main.c")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o644))
	fails(t, 1, "main.c", "golden", "homebrew", "-o", dir)
	require.Equal(t, "mine", mustRead(t, mine))
}
