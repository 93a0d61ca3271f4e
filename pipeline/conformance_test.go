package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
)

// TestConformanceTracesReplay replays all recorded traces that lie beside the
// project: every command list must decode and every draw run.
func TestConformanceTracesReplay(t *testing.T) {
	paths, _ := filepath.Glob("../../shared/conformance/traces/*.ctf")
	if len(paths) == 0 {
		t.Skip("no recorded traces in ../shared/conformance")
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".ctf"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			trace, err := citrace.Parse(data)
			require.NoError(t, err)
			frames := 0
			g, err := Replay(context.Background(), trace, Options{}, func(_ *GPU, f Frame) error {
				require.Equal(t, frames, f.Index)
				require.NotZero(t, f.Stats.Draws)
				frames++
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, trace.Frames(), frames)
			require.Empty(t, g.Warnings())
		})
	}
}

// hardwareRow is a line of the tables in scenes.md: the colour that a test
// program checks for on the console, in the lower left pixel of the top screen.
var hardwareRow = regexp.MustCompile(`^frame +(\d+) +expected (..) (..) (..) `)

// TestShaderResultsOfTheConsole compares the traces of public hardware tests of
// the shader unit with what those tests expect of the console.
func TestShaderResultsOfTheConsole(t *testing.T) {
	text, err := os.ReadFile("../../shared/conformance/scenes.md")
	if err != nil {
		t.Skip("no recorded traces in ../shared/conformance")
	}
	want := map[string]map[int]string{}
	name := ""
	for _, line := range strings.Split(string(text), "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			name = heading
		}
		if m := hardwareRow.FindStringSubmatch(line); m != nil {
			if want[name] == nil {
				want[name] = map[int]string{}
			}
			frame, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			want[name][frame] = m[2] + m[3] + m[4]
		}
	}
	require.NotEmpty(t, want)
	for name, frames := range want {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../../shared/conformance/traces/" + name + ".ctf")
			require.NoError(t, err)
			trace, err := citrace.Parse(data)
			require.NoError(t, err)
			_, err = Replay(context.Background(), trace, Options{}, func(g *GPU, f Frame) error {
				if w, ok := frames[f.Index]; ok {
					c := g.Screen(ScreenTop).RGBAAt(0, 239)
					require.Equal(t, w, fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B), "frame %d", f.Index)
				}
				return nil
			})
			require.NoError(t, err)
		})
	}
}
