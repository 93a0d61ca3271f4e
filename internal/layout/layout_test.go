// Package layout holds the test of the import rule of docs/ARCHITECTURE.md:
// data flows one way through the rooms of the house, and so do imports.
package layout

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "pica200"

// rule maps a room, by the longest matching prefix of the import path inside
// the module, to the rooms it may import besides itself. "*" is all of them.
var rule = map[string][]string{
	"pica":           {},
	"assets":         {"pica", "internal/files", "internal/yamldoc"},
	"shaderunit":     {"pica", "assets/shbin", "internal/simd"},
	"geometry":       {"pica", "shaderunit", "internal/simd"},
	"raster":         {"pica", "internal/simd"},
	"fragment":       {"pica", "raster", "assets/texture", "internal/simd"},
	"pipeline":       {"pica", "assets", "shaderunit", "geometry", "raster", "fragment", "internal/files", "internal/simd"},
	"golden":         {"pica", "assets", "raster", "pipeline", "internal/files", "internal/simd", "internal/yamldoc"},
	"viewer":         {"pica", "assets", "fragment", "internal/files", "pipeline", "shaderunit"},
	"cmd":            {"*"},
	"internal":       {"*"},
	"assets/shaders": {"pica", "assets", "shaderunit/asm"}, // assembles its own sources
}

// needsCgo lists the rooms that may use cgo.
var needsCgo = map[string]bool{"viewer": true}

type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	CgoFiles     []string
}

func TestImportsNeverRunUp(t *testing.T) {
	for _, p := range packages(t) {
		from := inside(p.ImportPath)
		if from == "" {
			continue
		}
		room := roomOf(from)
		require.NotEmpty(t, room, "package %s is in no room of docs/ARCHITECTURE.md", p.ImportPath)
		for _, imp := range p.Imports {
			to := inside(imp)
			if to == "" || allowed(room, to) {
				continue
			}
			t.Errorf("%s imports %s; %s may import only %v", from, to, room, rule[room])
		}
		if len(p.CgoFiles) > 0 && !needsCgo[room] {
			t.Errorf("%s uses cgo; only viewer may", from)
		}
	}
}

func TestRuleIsReadCorrectly(t *testing.T) {
	require.True(t, allowed("fragment", "assets/texture"))
	require.True(t, allowed("fragment", "fragment/internal/lut"))
	require.False(t, allowed("fragment", "assets/shbin"))
	require.False(t, allowed("pica", "raster"))
	require.False(t, allowed("raster", "pipeline"))
	require.True(t, allowed("pipeline", "assets/citrace"))
	require.False(t, allowed("pipeline", "internal/layout"))
	require.True(t, allowed("cmd", "pipeline"))
	require.Equal(t, "assets", roomOf("assets/shbin"))
	require.Equal(t, "assets/shaders", roomOf("assets/shaders"))
	require.Equal(t, "", roomOf("picasso"))
}

// packages lists the packages of the module with every file, also those that
// need cgo, so that nothing hides behind a build tag of the machine at hand.
func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports,CgoFiles", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		all = append(all, p)
	}
	require.NotEmpty(t, all)
	return all
}

// inside returns the path of a package inside the module, or "".
func inside(path string) string {
	rest, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return ""
	}
	return rest
}

func roomOf(pkg string) string {
	best := ""
	for room := range rule {
		if within(pkg, room) && len(room) > len(best) {
			best = room
		}
	}
	return best
}

func within(pkg, room string) bool {
	return pkg == room || strings.HasPrefix(pkg, room+"/")
}

func allowed(room, to string) bool {
	if within(to, room) {
		return true
	}
	for _, r := range rule[room] {
		if r == "*" || within(to, r) {
			return true
		}
	}
	return false
}
