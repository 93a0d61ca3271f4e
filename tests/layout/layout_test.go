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

// layer is a folder with everything below it, except longer prefixes, and the layers that it may import besides itself.
type layer struct {
	name    string
	imports []string
}

// layers lists the folders from the bottom up. A folder may only import folders listed before it, so there are no cycles.
var layers = []layer{
	{"internal", nil}, // simd, files, yamldoc and other helpers for all folders
	{"pica", []string{"internal"}},
	{"assets", []string{"internal", "pica"}},
	{"raster", []string{"internal", "pica"}},
	{"shaderunit", []string{"internal", "pica", "assets/shbin"}},
	{"geometry", []string{"internal", "pica", "shaderunit"}},
	{"fragment", []string{"internal", "pica", "assets/texture", "raster"}},
	{"pipeline", []string{"internal", "pica", "assets", "raster", "shaderunit", "geometry", "fragment"}},
	{"console", []string{"internal", "pica", "assets", "raster", "shaderunit", "pipeline"}},
	{"emulator", []string{"internal", "pica", "assets", "pipeline"}},
	{"frontend", []string{"internal", "pica", "assets", "raster", "shaderunit", "pipeline"}},
	{"scene", []string{"internal", "pica", "assets", "raster", "shaderunit", "geometry", "fragment", "pipeline", "frontend"}},
	{"golden", []string{"internal", "pica", "assets", "raster", "pipeline", "scene"}},
	{"explain", []string{"internal", "pica", "assets", "raster", "shaderunit", "geometry", "fragment", "pipeline", "frontend"}},
	{"viewer", []string{"internal", "pica", "assets", "raster", "shaderunit", "geometry", "fragment", "pipeline", "frontend", "scene", "golden", "explain"}},
	{"serve", []string{"internal", "pica", "assets", "raster", "shaderunit", "geometry", "fragment", "pipeline", "explain"}},
	{"explain/inspect", []string{"internal", "pica", "assets", "shaderunit", "scene"}},
	{"serve/play", []string{"internal", "assets", "shaderunit", "pipeline", "scene", "serve"}},
	{"serve/wasm", []string{"assets", "serve", "serve/play"}},
	{"internal/demo", []string{"internal", "pica", "pipeline", "shaderunit", "frontend"}},
	{"cmd", []string{"internal", "assets", "shaderunit", "pipeline", "console", "frontend", "scene", "golden", "explain", "viewer", "serve", "serve/play", "explain/inspect", "internal/demo"}},
	{"internal/gen", []string{"internal", "pica", "assets", "shaderunit", "viewer", "serve", "serve/play", "internal/demo"}}, // programs that write files of this repository
	{"tests", []string{"pica", "assets", "shaderunit"}}, // tests of the whole project, and test helpers (testkit, states)
}

// needsCgo lists the layers that may use cgo.
var needsCgo = map[string]bool{"viewer": true, "emulator": true}

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
		at := layerOf(from)
		require.NotEmpty(t, at.name, "package %s is in no folder of docs/ARCHITECTURE.md", p.ImportPath)
		for _, imp := range p.Imports {
			to := inside(imp)
			if to == "" || allowed(at, to) {
				continue
			}
			t.Errorf("%s imports %s; %s may import only %v", from, to, at.name, at.imports)
		}
		if len(p.CgoFiles) > 0 && !needsCgo[at.name] {
			t.Errorf("%s uses cgo; only viewer and emulator may", from)
		}
	}
}

// A folder may import only folders listed before it.
func TestFoldersImportOnlyLowerFolders(t *testing.T) {
	var below []string
	for _, r := range layers {
		for _, imp := range r.imports {
			require.True(t, slices.ContainsFunc(below, func(b string) bool { return within(imp, b) }),
				"%s may import %s, which does not stand below it", r.name, imp)
		}
		require.NotContains(t, below, r.name)
		below = append(below, r.name)
	}
}

func TestRulesAreReadCorrectly(t *testing.T) {
	require.True(t, allowed(layerOf("fragment"), "assets/texture"))
	require.True(t, allowed(layerOf("fragment"), "fragment/internal/lut"))
	require.False(t, allowed(layerOf("fragment"), "assets/shbin"))
	require.False(t, allowed(layerOf("pica"), "raster"))
	require.False(t, allowed(layerOf("raster"), "pipeline"))
	require.True(t, allowed(layerOf("pipeline"), "assets/citrace"))
	require.False(t, allowed(layerOf("pipeline"), "scene"))
	require.False(t, allowed(layerOf("assets"), "shaderunit/asm"))
	require.Equal(t, "assets", layerOf("assets/shbin").name)
	require.Equal(t, "internal/demo", layerOf("internal/demo").name)
	require.False(t, allowed(layerOf("pica"), "internal/demo"))
	require.Equal(t, "", layerOf("picasso").name)
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

func layerOf(pkg string) (best layer) {
	for _, r := range layers {
		if within(pkg, r.name) && len(r.name) > len(best.name) {
			best = r
		}
	}
	return best
}

func within(pkg, folder string) bool {
	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

// allowed reports whether a layer may import a package: one of its own, or one below a folder that it lists. A package of a longer
// prefix belongs to that layer alone.
func allowed(from layer, to string) bool {
	owner := layerOf(to).name
	may := func(folder string) bool {
		return within(to, folder) && len(owner) <= max(len(folder), len(layerOf(folder).name))
	}
	return may(from.name) || slices.ContainsFunc(from.imports, may)
}
