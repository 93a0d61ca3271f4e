// Package determinism holds what keeps pictures the same on every processor:
// run.sh, which compares builds for several, and this test.
package determinism

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/module"
)

// fused matches the multiply-add instructions of arm64 in Go's notation.
var fused = regexp.MustCompile(`\bFN?M(ADD|SUB)[SD]\b`)

// parseFused reads the output of "go tool objdump" and returns a line for each
// place with a fused instruction: the function, the file and the line.
func parseFused(listing string) (places []string) {
	function := ""
	seen := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(listing))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "TEXT "); ok {
			function, _, _ = strings.Cut(rest, "(SB)")
			continue
		}
		if f := strings.Fields(line); fused.MatchString(line) {
			if place := fmt.Sprintf("%s, %s: %s", function, f[0], fused.FindString(line)); !seen[place] {
				seen[place] = true
				places = append(places, place)
			}
		}
	}
	return places
}

// Go may turn x*y + z into one instruction that rounds once; it does so on
// arm64 and not on plain amd64, so the two would draw different pictures. The
// program is built for arm64, and none of our functions may hold such an
// instruction: float32(x*y) + z keeps the two apart. The window is left out,
// which computes no picture.
func TestNothingIsFused(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the whole program for arm64")
	}
	goTool := os.Getenv("GO")
	if goTool == "" {
		goTool = "go"
	}
	bin := filepath.Join(t.TempDir(), "pica200")
	build := exec.Command(goTool, "build", "-o", bin, module.Path()+"/cmd/pica200")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	listing, err := exec.Command(goTool, "tool", "objdump", "-s", "^"+regexp.QuoteMeta(module.Path())+"/", bin).Output()
	require.NoError(t, err)
	for _, room := range []string{"pica", "shaderunit", "geometry", "raster", "fragment", "pipeline", "assets/texture"} {
		require.Regexp(t, `(?m)^TEXT `+regexp.QuoteMeta(module.Path()+"/"+room)+`\.`, string(listing), "the listing has the functions of %s", room)
	}
	for _, place := range parseFused(string(listing)) {
		if !strings.HasPrefix(place, module.Path()+"/viewer/") {
			t.Errorf("%s; round the product with float32(x*y) or float64(x*y)", place)
		}
	}
}

func TestParseFused(t *testing.T) {
	require.Equal(t, []string{"example.org/x/raster.cover, cover.go:12: FMADDS", "example.org/x/raster.cover, cover.go:14: FNMSUBD"}, parseFused(
		`TEXT example.org/x/raster.cover(SB) /src/raster/cover.go
  cover.go:12		0x1a2b4c		1f020041		FMADDS F2, F0, F1, F1
  cover.go:12		0x1a2b50		1f020041		FMADDS F2, F0, F1, F1
  cover.go:13		0x1a2b54		1e200841		FMULS F0, F2, F1
  cover.go:14		0x1a2b58		1f620041		FNMSUBD F2, F0, F1, F1
`))
}
