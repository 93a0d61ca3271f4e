package hardware

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
	"pica200/tests/testkit"
)

// TestHomebrewDrawsTheSame compiles the homebrew program for this computer with the libctru stub in testdata and runs it: its GPU
// commands, at other addresses, draw the same pictures, and its dump is read back.
func TestHomebrewDrawsTheSame(t *testing.T) {
	testkit.Slow(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no C compiler (gcc)")
	}
	stub := testkit.Must(filepath.Abs("testdata/stub"))(t)
	dir := t.TempDir()
	for name, data := range sources() {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	bin := filepath.Join(dir, "console")
	cmd := exec.Command(gcc, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-I", stub, "-DFOLDER=\".\"", "-o", bin,
		"source/main.c", "source/programs.c", filepath.Join(stub, "stub.c"))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd = exec.Command(bin)
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), fmt.Sprintf("%d of %d pictures", len(Programs), len(Programs)))

	calls := testkit.Read(t, filepath.Join(dir, "calls.txt"))
	lines := bufio.NewScanner(bytes.NewReader(calls))
	scan := func(format string, args ...any) {
		t.Helper()
		require.True(t, lines.Scan())
		testkit.Must(fmt.Sscanf(lines.Text(), format, args...))(t, lines.Text())
	}
	const linearBase = 0x23400000
	for i := range Programs {
		p := &Programs[i]
		g := pipeline.New(pipeline.Options{Workers: 1})
		var color uint32
		for k := range 2 {
			var start, end, value, control uint32
			scan("fill %x %x %x %x", &start, &end, &value, &control)
			if k == 0 {
				color = start
			}
			require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: start, End: end, Value: value, Bits: uint8(16 + 8*(control>>8))}))
			require.EqualValues(t, 1, control&0xFF)
		}
		memory := testkit.Read(t, filepath.Join(dir, fmt.Sprintf("linear%d.bin", i)))
		require.NoError(t, g.Load(t.Context(), linearBase, memory))
		var list, size, flags uint32
		scan("list %x %x %x", &list, &size, &flags)
		require.Zero(t, list%16+size%16)
		require.NoError(t, g.RunList(t.Context(), list, size))
		var from, n, gaps, to uint32
		scan("copy %x 0 %x 0 %x %x", &from, &to, &n, &gaps)
		require.Equal(t, []uint32{color, uint32(p.ColorBytes()), 8}, []uint32{from, n, gaps})
		got := testkit.Must(g.Read(color, n))(t)
		want := testkit.Must(p.Run(t.Context()))(t)
		require.True(t, bytes.Equal(want, got), "%s draws another picture", p.Name)

		saved := testkit.Read(t, filepath.Join(dir, p.Name+".bin"))
		q, buffer, err := ParseDump(saved)
		require.NoError(t, err)
		require.Equal(t, p, q)
		require.Equal(t, bytes.Repeat([]byte{0x5A}, p.ColorBytes()), buffer)
		g.Close()
	}
	require.False(t, lines.Scan())
}
