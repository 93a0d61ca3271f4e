package sceneexport

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/internal/files"
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
