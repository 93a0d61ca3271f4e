// Package layout tests the import rule of docs/ARCHITECTURE.md: a package imports only packages of lower layers.
package layout

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/module"
	"pica200/tests/testkit"
)

// room is a folder with everything below it, except longer prefixes, and the rooms that it may import besides itself.
type room struct {
	name    string
	imports []string
}

// house lists the rooms from the bottom layer up. A room may only import rooms listed before it, so there are no cycles.
var house = []room{
	{"internal", nil}, // simd, files, yamldoc and other helpers for all rooms
	{"rows", nil},
	{"pica", nil},
	{"pixels", []string{"internal", "pica"}},
	{"assets", []string{"internal", "pica", "pixels"}},
	{"raster", []string{"internal", "pica"}},
	{"shaderunit", []string{"internal", "pica", "assets/shbin"}},
	{"geometry", []string{"internal", "pica", "shaderunit"}},
	{"fragment", []string{"internal", "rows", "pica", "assets/texture", "raster"}},
	{"pipeline", []string{"internal", "rows", "pica", "pixels", "assets", "raster", "shaderunit", "geometry", "fragment"}},
	{"hardware", []string{"internal", "pica", "assets", "raster", "shaderunit", "pipeline"}},
	{"record", nil},
	{"integration", nil},
	{"host", nil},
	{"capi", []string{"internal", "pica", "assets", "pipeline"}},
	{"shaders", []string{"assets", "shaderunit"}},
	{"frontend", []string{"internal", "pica", "assets", "raster", "shaderunit", "pipeline"}},
	{"scene", []string{"internal", "pica", "assets", "raster", "shaderunit", "geometry", "fragment", "pipeline", "shaders", "frontend"}},
	{"golden", []string{"internal", "pica", "assets", "raster", "pipeline", "scene"}},
	{"replay", []string{"internal", "rows", "pica", "assets", "raster", "shaderunit", "geometry", "fragment", "pipeline", "frontend"}},
	{"viewer", []string{"internal", "rows", "pica", "assets", "raster", "shaderunit", "fragment", "pipeline", "frontend", "scene", "golden", "replay"}},
	{"serve", []string{"internal", "rows", "pica", "assets", "raster", "shaderunit", "geometry", "fragment", "pipeline", "replay"}},
	{"inspect", []string{"internal", "pica", "assets", "shaderunit", "scene"}},
	{"serve/play", []string{"internal", "assets", "shaderunit", "pipeline", "scene", "shaders", "serve"}},
	{"serve/wasm", []string{"assets", "serve", "serve/play"}},
	{"demo", []string{"internal", "pica", "pipeline", "shaders", "frontend"}},
	{"cmd", []string{"internal", "rows", "assets", "shaderunit", "pipeline", "hardware", "frontend", "scene", "golden", "replay", "viewer", "serve", "inspect", "demo"}},
	{"gen", []string{"internal", "pica", "assets", "shaderunit", "viewer", "serve", "serve/play", "demo"}}, // programs that write files of this repository
	{"tests", []string{"pica", "assets", "shaderunit"}},                                                    // tests of the whole project, and test helpers (testkit, states)
}

// needsCgo lists the rooms that may use cgo.
var needsCgo = map[string]bool{"viewer": true, "capi": true}

type listed struct {
	ImportPath string
	GoFiles    []string
	Imports    []string
	CgoFiles   []string
}

func TestImportsFollowFolders(t *testing.T) {
	for _, p := range packages(t) {
		from := inside(p.ImportPath)
		if from == "" {
			continue
		}
		room := roomOf(from)
		require.NotEmpty(t, room.name, "package %s is in no room of docs/ARCHITECTURE.md", p.ImportPath)
		for _, imp := range p.Imports {
			to := inside(imp)
			if to == "" || allowed(room, to) {
				continue
			}
			t.Errorf("%s imports %s; %s may import only %v", from, to, room.name, room.imports)
		}
		if len(p.CgoFiles) > 0 && !needsCgo[room.name] {
			t.Errorf("%s uses cgo; only viewer and capi may", from)
		}
	}
}

// A room may import only rooms listed before it.
func TestRoomsImportOnlyLowerRooms(t *testing.T) {
	var below []string
	for _, r := range house {
		for _, imp := range r.imports {
			require.True(t, slices.ContainsFunc(below, func(b string) bool { return within(imp, b) }),
				"%s may import %s, which does not stand below it", r.name, imp)
		}
		require.NotContains(t, below, r.name)
		below = append(below, r.name)
	}
}

func TestRoomRulesAreReadCorrectly(t *testing.T) {
	require.True(t, allowed(roomOf("fragment"), "assets/texture"))
	require.True(t, allowed(roomOf("fragment"), "fragment/internal/lut"))
	require.False(t, allowed(roomOf("fragment"), "assets/shbin"))
	require.False(t, allowed(roomOf("pica"), "raster"))
	require.False(t, allowed(roomOf("raster"), "pipeline"))
	require.True(t, allowed(roomOf("pipeline"), "assets/citrace"))
	require.False(t, allowed(roomOf("pipeline"), "scene"))
	require.False(t, allowed(roomOf("assets"), "shaderunit/asm"))
	require.Equal(t, "assets", roomOf("assets/shbin").name)
	require.Equal(t, "shaders", roomOf("shaders").name)
	require.Equal(t, "", roomOf("picasso").name)
}

// packages lists the packages of the module with all files, including those that need cgo or other build tags.
func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,GoFiles,Imports,CgoFiles", "./...")
	cmd.Dir = "../.."
	out := testkit.Must(cmd.Output())(t)
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
	rest, ok := strings.CutPrefix(path, module.Path()+"/")
	if !ok {
		return ""
	}
	return rest
}

func roomOf(pkg string) (best room) {
	for _, r := range house {
		if within(pkg, r.name) && len(r.name) > len(best.name) {
			best = r
		}
	}
	return best
}

func within(pkg, room string) bool {
	return pkg == room || strings.HasPrefix(pkg, room+"/")
}

func allowed(from room, to string) bool {
	return within(to, from.name) || slices.ContainsFunc(from.imports, func(r string) bool { return within(to, r) })
}
