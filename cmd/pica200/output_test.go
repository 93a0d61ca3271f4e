//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// mistakes are command lines that fail. T is a recording of two frames, P one with two passes, S a scene, A an animated model, J no
// file of any format, D a folder, O a picture that is there.
var mistakes = []struct {
	line   string
	status int
	says   string // what to do instead
}{
	{"render D -o O", exitFailed, "is a directory"},
	{"render main.go -o O", exitFailed, "main.go cannot be drawn: there are recorded traces"},
	{"render D/short.ctf -o O", exitFailed, "short.ctf: not a valid CiTrace file: offset 0x"},
	{"render D/empty.ctf -o O", exitFailed, "empty.ctf: not a valid picatrace file"},
	{"render T", exitUsage, "--out"},
	{"render -o O", exitUsage, "file"},
	{"render T -o D", exitUsage, "/ puts every picture"},
	{"render T -o D/x.gif", exitUsage, "animations are of scenes and models"},
	{"render T -o O --worker 2", exitUsage, `did you mean "--workers"`},
	{"render T -o O --workers=-1", exitUsage, "negative"},
	{"render T -o O --frame 9", exitFailed, "there is no frame 9; the recording has 2, 0 to 1"},
	{"render S -o O --frame 9", exitUsage, "there is no frame 9; --frames is 1"},
	{"render T -o O --screen left", exitUsage, "--screen"},
	{"render T -o O --screen top --target color", exitUsage, "exclude each other"},
	{"render T -o O --target gas", exitFailed, "no gas buffer"},
	{"render P -o O --draw 3", exitFailed, "there is no draw 3"},
	{"render P -o O --draw=-2", exitUsage, "must not be negative"},
	{"render P -o O --frame=-2", exitUsage, "--frame must not be negative"},
	{"render P -o O --step=-1", exitUsage, "--step must not be negative"},
	{"render P -o O --timeout=-1s", exitUsage, "--timeout must not be negative"},
	{"trace pack P -o D/x.picatrace --workers=-1", exitUsage, "--workers must not be negative"},
	{"render P -o O --only", exitUsage, "--only is for --draw"},
	{"render P -o O --draw 0 --screen top", exitUsage, "exclude each other"},
	{"render P -o O --draw 0 --target pass0", exitUsage, "exclude each other"},
	{"render P -o O --target pass9", exitFailed, "there is no pass 9; frame 0 has 2"},
	{"render P -o O --target pass-1", exitUsage, "--target pass-1: there are"},
	{"render P -o O --target passNaN", exitUsage, "--target passNaN: there are"},
	{"render P -o O --target pass99999999999", exitUsage, "there are"},
	{"render P -o O --target 0", exitUsage, "there are"},
	{"render P -o O --target all", exitUsage, "needs a folder"},
	{"render P -o O --target pass0-alpha", exitUsage, "there are"},
	{"render A -o O --animation walk", exitUsage, `no animation "walk"; there are`},
	{"render A -o O --camera 3", exitUsage, `no camera "3"; choose from whole`},
	{"render A -o O --size 81x48", exitUsage, "multiple of 8"},
	{"render A -o O --size big", exitUsage, "expected WIDTHxHEIGHT"},
	{"render A -o O --turntable=-1", exitUsage, "must not be negative"},
	{"render S -o O --scale 0.5", exitUsage, "--scale must be 1 or more"},
	{"render S -o O --scale NaN", exitUsage, "--scale must be 1 or more"},
	{"render S -o O --scale 2 --screen top", exitUsage, "--scale must be 1 or more, and excludes --screen"},
	{"render T -o O --scale 2", exitUsage, "and sizes of its own"},
	{"render A -o O --scale 100", exitUsage, "--scale 100: at most "},
	{"inspect P --draw 3", exitFailed, "there is no draw 3: frame 0 has 3, 0 to 2"},
	{"inspect P --draw=-1", exitUsage, "must not be negative"},
	{"inspect P --draw NaN", exitUsage, "--draw"},
	{"inspect P --draw 99999999999999999999", exitUsage, "--draw"},
	{"inspect P --draw 0 --frame 7", exitFailed, "there is no frame 7"},
	{"inspect P --draws --frame 7", exitFailed, "there is no frame 7"},
	{"inspect P --draws --draw 0", exitUsage, "exclude each other"},
	{"inspect P -o O", exitUsage, "-o is for --draw"},
	{"inspect ../../explain/inspect/testdata/mali.mbs --draws", exitFailed, "mali.mbs cannot be drawn: there are recorded traces"},
	{"explain P 0 0 --draw 3", exitFailed, "there is no draw 3"},
	{"explain P 0 0 --draw=-3", exitUsage, "must not be negative"},
	{"explain P 400 0 --screen top", exitFailed, "lies outside the top screen"},
	{"explain P 0 0 --screen left", exitUsage, "--screen"},
	{"explain P 200 0 --draw 1", exitFailed, "outside the render target of 200x120"},
	{"explain S 1 1 --frame 1", exitUsage, "--time"},
	{"trace save T -o D/x.ctf", exitFailed, "is a trace already"},
	{"bench S", exitFailed, "it looks like a scene"},
	{"rendr T", exitUsage, `did you mean "render"`},
	{"disasm S", exitFailed, "no shader binary in this text"},
	{"disasm J", exitFailed, "unknown file format"},
	{"disasm --raw J", exitFailed, "words of 4"},
	{"link J -o x", exitFailed, "DVOJ expected"},
	{"extract J", exitFailed, "unknown file format"},
	{"lint J", exitFailed, "DVLB or DVOJ expected"},
	{"lint", exitUsage, "--rules"},
}

// Common mistakes give an error that says what to do instead, and an existing picture survives them.
func TestCommonMistakesAreExplained(t *testing.T) {
	dir, trace := t.TempDir(), demoTrace(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	data := testkit.Read(t, trace)
	for name, data := range map[string][]byte{"short.ctf": data[:len(data)-30], "empty.ctf": nil, "junk.shbin": {0, 1, 2}, "out.png": []byte("old")} {
		require.NoError(t, os.WriteFile(at(name), data, 0o666))
	}
	names := strings.NewReplacer(" T", " "+trace, " P", " ../../testdata/traces/shadow.ctf", " S", " ../../testdata/scenes/lit.yaml",
		" A", " ../../testdata/scenes/arm.gltf", " J", " "+at("junk.shbin"), " D", " "+dir, " O", " "+at("out.png"))
	before := listFiles(t, dir)
	for _, c := range mistakes {
		t.Run(c.line, func(t *testing.T) {
			fails(t, c.status, c.says, strings.Fields(names.Replace(c.line))...)
			require.Equal(t, before, listFiles(t, dir))
			require.Equal(t, "old", mustRead(t, at("out.png")))
		})
	}
}
