package record

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/states"
	"pica200/tests/testkit"
)

// If the host dies in a frame, the recording keeps the frames before it.
func TestRecordingSurvivesHostCrash(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	tr := frames(t)
	want := pictures(t, tr)
	in := script(t, tr, 0)
	for die := range tr.Frames() {
		out := filepath.Join(t.TempDir(), "out.picatrace")
		err := exec.Command(host, in, out, "told", "die", strconv.Itoa(die)).Run()
		var exit *exec.ExitError
		require.True(t, errors.As(err, &exit) && exit.ExitCode() == 9, "%v", err)
		rec := open(t, out)
		require.Equal(t, die, rec.Frames())
		if die > 0 {
			require.Equal(t, want[:die], pictures(t, rec))
		}
	}
}

// A recording truncated at any byte of its last frame reads up to the last complete frame.
func TestRecordingTruncatedAtEveryByte(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	out := filepath.Join(t.TempDir(), "out.picatrace")
	tr := frames(t)
	runs(t, host, script(t, tr, 0), out, "told")
	data := testkit.Read(t, out)
	short := filepath.Join(t.TempDir(), "short.picatrace")
	_ = exec.Command(host, script(t, tr, 0), short, "told", "die", strconv.Itoa(tr.Frames()-1)).Run() // the host dies in its last frame
	before := testkit.Must(os.Stat(short))(t)
	require.Less(t, int(before.Size()), len(data))
	for n := int(before.Size()); n < len(data); n++ {
		rec := states.Parse(t, data[:n])
		require.Equal(t, tr.Frames()-1, rec.Frames(), "%d of %d bytes", n, len(data))
		for i := range rec.Frames() {
			testkit.Must(rec.Frame(i))(t)
		}
	}
}

// Wrong calls by a host are reported, cause no memory errors and keep earlier recordings. Wrong options leave an existing file
// unchanged.
func TestWrongHostCallsAreReported(t *testing.T) {
	host := compileFile(t, "testdata/edges.c", "gcc", "-std=c99", "-O1", "-Wshadow", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	dir := t.TempDir()
	refused := []string{"overlap", "nodata", "unaligned", "behind", "many", "negative"}
	for _, name := range refused {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".picatrace"), []byte("mine"), 0o644))
	}
	text := runs(t, host, dir)
	for _, name := range refused {
		data := testkit.Read(t, filepath.Join(dir, name+".picatrace"))
		require.Equal(t, "mine", string(data))
	}
	require.Contains(t, text, "overlap: two memory regions overlap (1)\n")
	require.Contains(t, text, "nodata: a memory region has no data (1)\n")
	require.Contains(t, text, "width: pica200_record_write: registers are written by 1, 2, 4 or 8 bytes (1)\n")
	for _, line := range []string{
		"check nothing: not given, and 0: external registers, registers of the screens, internal registers, fixed attributes, code of the vertex shader, " +
			"operand descriptors of the vertex shader, uniforms of the vertex shader, code of the geometry shader, operand descriptors of the geometry shader, " +
			"uniforms of the geometry shader, lighting tables, fog table, gas table, noise table, colour map of the procedural texture, " +
			"alpha map of the procedural texture, colours of the procedural texture, differences of these colours\n",
		"check most: not given, and 0: lighting tables; external registers: a line of the top screen has 0 bytes (0x10400490)\n",
		"check all: well\n",
		"check floats: uniforms of the vertex shader: word 383 has more than 24 bits; pica200_float24 makes them of a float\n",
		"check none: no recorder\n",
	} {
		require.Contains(t, text, line)
	}
	for name, frames := range map[string]int{
		"beside": 0, "width": 1, "picture": 1, "late": 1, "changed": 2, "outside": 2, "screen": 2, "early": 0, "unbegun": 0, "frames": 5000,
	} {
		rec := open(t, filepath.Join(dir, name+".picatrace"))
		require.Equal(t, frames, rec.Frames(), name)
		require.Equal(t, name, rec.Meta.Producer)
		for i := range min(frames, 3) {
			testkit.Must(rec.Frame(max(0, frames-1-i)))(t, name)
		}
		require.Regexp(t, "^€*$", rec.Meta.Title, "the title is cut between characters")
	}
}

// A full disk ends the recording; the host continues.
func TestDiskFull(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	tr := frames(t)
	in := script(t, tr, 0)
	for _, blocks := range []string{"0", "1", "8"} { // 512 bytes or 1 KiB each, depending on the shell
		out := filepath.Join(t.TempDir(), "out.picatrace")
		cmd := exec.Command("sh", "-c", `ulimit -f `+blocks+`; exec "$0" "$@"`, host, in, out, "told")
		text, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.True(t, errors.As(err, &exit) && exit.ExitCode() == 1, "%s: %v", text, err)
		require.Contains(t, string(text), "is the disk full?")
		require.Contains(t, string(text), strconv.Itoa(tr.Frames())+" frames", "the host continues to its end")
		if data, err := os.ReadFile(out); err == nil && len(data) > 16 {
			rec := states.Parse(t, data)
			require.Less(t, rec.Frames(), tr.Frames())
		}
	}
}
