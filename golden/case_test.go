package golden

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

const goodCase = `source: x.scene.yaml
t: 0.5
images:
  - target: color
    expected:
      - {file: x-hw.png, from: hardware, by: "New 3DS, capture 3"}
      - {file: x.png, from: self}
    tolerance: {delta: 1, reason: "the console dithers"}
  - target: depth
`

// parsed is a case of a text.
func parsed(t *testing.T, text string) *Case {
	t.Helper()
	c := testkit.Must(parseCase("sub/x", "d/sub/x.case.yaml", []byte(text)))(t, text)
	return c
}

func TestParseCase(t *testing.T) {
	c := parsed(t, goodCase)
	require.Equal(t, "d/sub/x.scene.yaml", filepath.ToSlash(c.SourcePath()))
	require.Equal(t, -1, c.Frame)
	require.Equal(t, 0.5, c.T)
	require.Equal(t, Hardware, c.Images[0].Approved[0].From)
	require.Equal(t, Tolerance{Delta: 1, Reason: "the console dithers"}, c.Images[0].Tolerance)
	require.Equal(t, []Approved{{File: "x-depth.png", From: Self}}, c.Images[1].Approved)
	c = parsed(t, "source: a.ctf\nframe: 0\nimages: [{tolerance: {share: 0, delta: 0, border: 0, perceptual: 0, flip: 0.25, reason: r}}, {target: depth, tolerance: {border: 2, reason: r}}]\n")
	require.Equal(t, []any{0, 0.0}, []any{c.Frame, c.T})
	require.Equal(t, []Tolerance{{FLIP: 0.25, Reason: "r"}, {Border: 2, Reason: "r"}}, []Tolerance{c.Images[0].Tolerance, c.Images[1].Tolerance})
}

// A written case is read back equal, except for line numbers.
func TestWriteCase(t *testing.T) {
	for _, text := range []string{
		goodCase,
		"about: x\nsource: a.ctf\nframe: 3\nimages:\n  - target: depth\n    expected:\n      - {sha256: new, from: self, note: \"a: b\"}\n",
		"source: {program: game, frame: 7, keys: k, slider: 0.25}\nt: 1.5\nimages:\n  - target: top\n    expected:\n      - {file: a.png, from: other, by: emulator 2}\n" +
			"    tolerance: {delta: 3, share: 0.1, border: 2, perceptual: 0.2, flip: 0.3, reason: r}\n",
	} {
		c := parsed(t, text)
		again := parsed(t, string(c.Write()))
		for _, c := range []*Case{c, again} {
			for i := range c.Images {
				c.Images[i].Line = 0
				for k := range c.Images[i].Approved {
					c.Images[i].Approved[k].line, c.Images[i].Approved[k].column = 0, 0
				}
			}
		}
		require.Equal(t, c, again)
	}
}

// A program's slider is in 0..1 and 0 by default.
func TestParseCaseProgram(t *testing.T) {
	for text, want := range map[string]Program{"": {}, ", slider: 0": {}, ", slider: 1, keys: k": {"k", 1}, ", slider: 0.25": {"", 0.25}} {
		c := parsed(t, "source: {program: a, frame: 7"+text+"}\n")
		require.Equal(t, want, *c.Program)
		require.Equal(t, 7, c.Frame)
	}
}

// An environment variable enables a flag only with a value that means true.
func TestFlagFromEnvironment(t *testing.T) {
	for value, want := range map[string]bool{"1": true, "true": true, "0": false, "false": false, "": false, "yes": false} {
		t.Setenv("GOLDEN_TEST", value)
		require.Equal(t, want, isSet("no such flag", "GOLDEN_TEST"), "%q", value)
	}
}

func TestParseCaseBounds(t *testing.T) {
	for text, want := range map[string][2]float64{"frame: -1\nt: 1000000\n": {-1, 1e6}, "frame: 1048576\nt: -1000000\n": {1 << 20, -1e6}} {
		c := parsed(t, "source: a.ctf\n"+text)
		require.Equal(t, want, [2]float64{float64(c.Frame), c.T})
	}
}

func TestParseCaseErrors(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"frame: 1\n", "no source"},
		{"source: a\nfarme: 1\n", `the nearest valid name is "frame"`},
		{"source: {program: a, frame: 7, slider: -0.01}\n", "slider"},
		{"source: {program: a, frame: 7, slider: 1.01}\n", "slider"},
		{"source: a\nframe: -2\n", "out of range"},
		{"source: a\nframe: 1048577\n", "out of range"},
		{"source: a\nt: 1000001\n", "out of range"},
		{"source: a\nt: -1000001\n", "out of range"},
		{"source: a\nimages: []\n", "expected a list of at least 1 images, found 0"},
		{"source: a\nimages:\n - target: colour\n", `nearest valid name is "color"`},
		{"source: a\nimages:\n - tolerance: {delta: 1}\n", "a tolerance needs a reason"},
		{"source: a\nimages:\n - tolerance: {delta: 1, reason: ''}\n", "a tolerance needs a reason"},
		{"source: a\nimages:\n - tolerance: {share: 101, reason: x}\n", "out of range"},
		{"source: a\nimages:\n - expected: [{file: a.png}]\n", "where it is from"},
		{"source: a\nimages:\n - expected: [{file: a.png, from: other}]\n", "with its version"},
		{"source: a\nimages:\n - expected: [{file: ../../a.png, from: self}]\n", "must lie beside"},
		{"source: a\nimages:\n - target: color\n - target: color\n", "second time"},
		{"source: a\nimages: [{expected: [{sha256: abc, from: self}]}]\n", "64 hexadecimal digits"},
		{"source: a\nimages: [{expected: [{sha256: new, file: a.png, from: self}]}]\n", "exactly one of file and sha256, found 2"},
		{"source: a\nimages: [{expected: [{sha256: new}]}]\n", "where it is from"},
		{"source: a\nimages: [{expected: [{sha256: new, from: self}], tolerance: {delta: 1, reason: x}}]\n", "needs a picture"},
		{"source: a\nimages: [{tolerance: {delta: 256, reason: x}}]\n", "0 to 255"},
		{"source: a\nimages: [{tolerance: {flip: 2, reason: x}}]\n", "0 to 1"},
	} {
		_, err := parseCase("c", "c.case.yaml", []byte(tc.src))
		require.ErrorContains(t, err, tc.want)
		require.ErrorContains(t, err, "c.case.yaml:")
	}
}

func FuzzParseCase(f *testing.F) {
	f.Add([]byte(goodCase))
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := parseCase("c", "c.case.yaml", src)
		if err == nil {
			require.NotEmpty(t, c.Source)
			require.NotEmpty(t, c.Images)
		}
	})
}
