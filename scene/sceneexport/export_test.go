package sceneexport

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/frontend/gl"
	"pica200/internal/files"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// recorded records a scene at the given times.
func recorded(t *testing.T, path string, times ...float64) *picatrace.Trace {
	t.Helper()
	st := testkit.Must(scenebuild.Load(path))(t)
	data := testkit.Must(st.Record(context.Background(), times, scenebuild.Options{}))(t)
	trace := testkit.Must(picatrace.Parse(data))(t)
	return trace
}

// TestOwnScenesSurviveExport records the project's scenes, exports the traces and draws the result: no pixel changes.
func TestOwnScenesSurviveExport(t *testing.T) {
	testkit.Slow(t)
	paths, _ := filepath.Glob("../../testdata/scenes/*.yaml")
	require.NotEmpty(t, paths)
	for _, path := range paths {
		if strings.HasSuffix(path, ".case.yaml") {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			report := testkit.Must(Export(context.Background(), recorded(t, path, 0), filepath.Join(t.TempDir(), "s"), Options{Frame: -1}))(t)
			t.Log("\n" + report.String())
			require.True(t, report.Same(0), report.String())
		})
	}
}

// TestExportFrameByNumber exports frames by number.
func TestExportFrameByNumber(t *testing.T) {
	trace := recorded(t, "../../testdata/scenes/geometry-points.yaml", 0, 1)
	var scenes [3]string
	for i, frame := range []int{0, 1, -1} {
		dir := filepath.Join(t.TempDir(), "s")
		report := testkit.Must(Export(context.Background(), trace, dir, Options{Frame: frame, Name: "points"}))(t)
		require.True(t, report.Same(0), report.String())
		require.Equal(t, min(i, 1), report.Frame)
		data := testkit.Read(t, filepath.Join(dir, "meshes.glb"))
		text := testkit.Read(t, filepath.Join(dir, "scene.yaml"))
		require.Contains(t, string(text), "# Frame")
		scenes[i] = string(text) + string(data)
	}
	require.NotEqual(t, scenes[0], scenes[1])
	require.Equal(t, scenes[1], scenes[2], "exporting the last frame twice gives the same scene")
}

// TestFailedExportLeavesNoFiles checks that a failed export returns an error and leaves no files.
func TestFailedExportLeavesNoFiles(t *testing.T) {
	trace := recorded(t, "../../testdata/scenes/geometry-points.yaml", 0)
	parent := t.TempDir()
	dir := filepath.Join(parent, "s")
	_, err := Export(context.Background(), trace, dir, Options{Frame: 1})
	require.ErrorContains(t, err, "there is no frame 1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Export(ctx, trace, dir, Options{})
	require.ErrorIs(t, err, context.Canceled)
	var empty citrace.Builder
	empty.EndFrame()
	data := testkit.Must(empty.Encode())(t)
	nothing := testkit.Must(picatrace.Parse(data))(t)
	_, err = Export(context.Background(), nothing, dir, Options{})
	require.ErrorContains(t, err, "draws nothing")
	entries := testkit.Must(os.ReadDir(parent))(t)
	require.Empty(t, entries)
}

// TestExportKeepsOtherFiles exports to folders with other files: only files of an earlier export are replaced.
func TestExportKeepsOtherFiles(t *testing.T) {
	trace := recorded(t, "../../testdata/scenes/geometry-points.yaml", 0)
	export := func(dir string, o Options) error {
		_, err := Export(t.Context(), trace, dir, o)
		return err
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "s")
	mine := map[string]string{"letter.txt": "dear", ".git/HEAD": "ref", "textures/own.png": "png"}
	for name, text := range mine {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	kept := func() {
		t.Helper()
		for name, text := range mine {
			data := testkit.Read(t, filepath.Join(dir, name))
			require.Equal(t, text, string(data))
		}
		entries := testkit.Must(os.ReadDir(parent))(t)
		require.Len(t, entries, 1, "no temporary folder is left")
	}
	require.NoError(t, export(dir, Options{}))
	kept()
	require.FileExists(t, filepath.Join(dir, "meshes.glb"))
	require.NoError(t, export(dir, Options{Name: "again"}))
	kept()

	// A scene written or edited by hand is not replaced.
	scene := filepath.Join(dir, "scene.yaml")
	mine["scene.yaml"] = "name: by hand\n"
	require.NoError(t, os.WriteFile(scene, []byte(mine["scene.yaml"]), 0o666))
	for _, manifest := range []bool{true, false} {
		if !manifest {
			require.NoError(t, os.Remove(filepath.Join(dir, files.Manifest)))
		}
		err := export(dir, Options{})
		require.ErrorContains(t, err, "scene.yaml")
		require.IsType(t, &files.Occupied{}, err)
		kept()
	}
	delete(mine, "scene.yaml")
	require.NoError(t, export(dir, Options{Force: true}))
	kept()
	text := testkit.Read(t, scene)
	require.Contains(t, string(text), "# Frame")

	// A link to a folder stays a link.
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	require.NoError(t, export(link, Options{}))
	info := testkit.Must(os.Lstat(link))(t)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
	kept()
}

// long matches a line of many numbers.
var long = regexp.MustCompile(`[^\n]{300,}`)

// Stored exports of our recordings: the scene's text, the report, and the files.
func TestExportedFiles(t *testing.T) {
	var b strings.Builder
	write := func(name string, trace *picatrace.Trace) {
		dir := filepath.Join(t.TempDir(), "s")
		report := testkit.Must(Export(t.Context(), trace, dir, Options{Frame: -1, Name: name}))(t)
		fmt.Fprintf(&b, "== %s\n%s\n", name, report)
		require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			switch filepath.Ext(name) {
			case ".yaml", ".pica":
				fmt.Fprintf(&b, "-- %s\n%s\n", filepath.ToSlash(name), long.ReplaceAllStringFunc(string(data), func(line string) string {
					return fmt.Sprintf("%s... CRC-32 %08x", line[:160], crc32.ChecksumIEEE([]byte(line)))
				}))
			case ".png":
				img := testkit.Must(png.Decode(bytes.NewReader(data)))(t)
				text := testkit.Dump(img)
				fmt.Fprintf(&b, "-- %s: %v, CRC-32 %08x\n", filepath.ToSlash(name), img.Bounds(), crc32.ChecksumIEEE([]byte(text)))
			case ".sha256":
			default:
				fmt.Fprintf(&b, "-- %s: %d bytes, CRC-32 %08x\n", filepath.ToSlash(name), len(data), crc32.ChecksumIEEE(data))
			}
			return err
		}))
	}
	for _, name := range []string{"arcs", "gas", "lights", "shadow"} {
		data := testkit.Read(t, "../../testdata/traces/"+name+".ctf")
		trace := testkit.Must(picatrace.Parse(data))(t)
		write(name, trace)
	}
	for _, name := range []string{"mirror", "fog"} {
		write(name, recorded(t, "../../testdata/scenes/"+name+".yaml", 0.5))
	}
	testkit.Golden(t, "testdata/scenes.txt", []byte(b.String()))
}

// The report uses singular, plural and zero counts correctly.
func TestReportTexts(t *testing.T) {
	one := &Report{Frame: 3, Draws: 1, Passes: 1, Programs: 1, Textures: 1, Meshes: 1, Raw: []RawRegister{{pica.RegBlendColor, 1}}, Otherwise: []string{"other"}, Notes: []string{"note"},
		Pictures: []Picture{{Name: "top"}, {Name: "pass3", Delta: 2, Pixels: 5, Of: 9}, {Name: "bottom", Problem: "none"}}}
	require.Equal(t, "Frame 3: 1 draw in 1 pass, with 1 program, 1 texture and 1 mesh.\nPicture top: the same as the trace's.\n"+
		"Picture pass3: 5 of 9 pixels differ from the trace's, by 2 of 255 at most.\nPicture bottom: none.\n"+
		"Raw register writes, for what no other key of a scene expresses:\n  - "+pica.RegBlendColor.String()+" in 1 draw\n"+
		"Expressed in another form:\n  - other\nNot expressed:\n  - note\n", one.String())
	require.Equal(t, "Frame 0: 2 draws in 0 passes, with 3 programs, 0 textures and 2 meshes.\n", (&Report{Draws: 2, Programs: 3, Meshes: 2}).String())
	require.False(t, one.Same(9))
	one.Pictures = one.Pictures[:2]
	require.True(t, one.Same(2))
	require.False(t, one.Same(1))
	require.False(t, (&Report{}).Same(9))
}

// TestClearValues converts pixel values to clear colours and depths; clearing with those gives the same memory.
func TestClearValues(t *testing.T) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	c := testkit.Must(gl.New(g))(t)
	rng := rand.New(rand.NewPCG(1, 2))
	values := []uint32{0, 0xFFFFFFFF, 0x00FFFFFF, 0x80000000, 1, 0x7FFFFF}
	for range 200 {
		values = append(values, rng.Uint32())
	}
	const videoMemory = 0x18000000
	read := func(n int) (v uint32) {
		data := testkit.Must(g.Read(videoMemory, uint32(n)))(t)
		for i, b := range data {
			v |= uint32(b) << (8 * i)
		}
		return v
	}
	for f := range pica.ColorFormatRGBA4 + 1 {
		target := testkit.Must(c.NewTarget(8, 8, gl.TargetOptions{Color: f, NoDepth: true}))(t)
		require.NoError(t, c.SetTarget(t.Context(), target))
		n := f.Bytes()
		for _, v := range values {
			v &= uint32(uint64(1)<<(8*n) - 1)
			x := colorValue(v, f)
			require.NoError(t, c.ClearColor(t.Context(), float32(x[0]), float32(x[1]), float32(x[2]), float32(x[3])))
			require.Equal(t, v, read(n), "%v", f)
		}
		require.NoError(t, target.Delete(t.Context()))
	}
	for _, f := range []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8} {
		target := testkit.Must(c.NewTarget(8, 8, gl.TargetOptions{NoColor: true, Depth: f}))(t)
		require.NoError(t, c.SetTarget(t.Context(), target))
		n := f.Bytes()
		for _, v := range values {
			v &= uint32(uint64(1)<<(8*n) - 1)
			depth, stencil := depthValue(v, f)
			require.NoError(t, c.ClearDepth(t.Context(), float32(depth), uint8(stencil)))
			require.Equal(t, v, read(n), "%v", f)
		}
		require.NoError(t, target.Delete(t.Context()))
	}
}
