// Package conformance tests results known from the console, with recorded traces that lie beside the repository.
package conformance

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// hardwareRow matches a table row of scenes.md: the colour that a test program expects on the console in the lower left pixel of
// the top screen.
var hardwareRow = regexp.MustCompile(`^frame +(\d+) +expected (..) (..) (..) `)

// TestShaderResultsOfConsole compares traces of public hardware tests of the shader unit with the results those tests expect.
func TestShaderResultsOfConsole(t *testing.T) {
	text := testkit.Read(t, testkit.Conformance(t, "scenes.md"))
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
			frame := testkit.Must(strconv.Atoi(m[1]))(t)
			want[name][frame] = m[2] + m[3] + m[4]
		}
	}
	require.NotEmpty(t, want)
	for name, frames := range want {
		t.Run(name, func(t *testing.T) {
			trace := testkit.Must(picatrace.Parse(testkit.Recorded(t, name)[0].Read(t)))(t)
			_, err := pipeline.Replay(context.Background(), trace, pipeline.Options{}, func(g *pipeline.GPU, f pipeline.Frame) error {
				if w, ok := frames[f.Index]; ok {
					c := g.Screen(pipeline.ScreenTop).RGBAAt(0, 239)
					require.Equal(t, w, fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B), "frame %d", f.Index)
				}
				return nil
			})
			require.NoError(t, err)
		})
	}
}
