package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGallery draws the scenes that make run draws: each has a name, says what
// it is about, and stands on the page with its picture.
func TestGallery(t *testing.T) {
	dir := t.TempDir()
	var out, errOut bytes.Buffer
	require.Equal(t, exitDone, run(context.Background(), newConsole(&out, &errOut), []string{"gallery", "../../testdata/scenes", "-o", dir}), errOut.String())
	require.Contains(t, out.String(), filepath.Join(dir, "index.html"))
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	scenes, err := filepath.Glob("../../testdata/scenes/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(scenes), 6)
	for _, s := range scenes {
		base := strings.TrimSuffix(filepath.Base(s), ".yaml")
		require.FileExists(t, filepath.Join(dir, base+".png"))
		require.Contains(t, string(page), `src="`+base+`.png"`)
		require.NotContains(t, string(page), "<h2>"+base+"</h2>", "scene %s has no name", base)
	}
	require.Equal(t, len(scenes), strings.Count(string(page), "<p>"), "every scene says what it is about, and models have nothing to say")
	require.NotContains(t, string(page), "<p></p>")

	require.Equal(t, exitFailed, run(context.Background(), newConsole(&out, &errOut), []string{"gallery", dir, "-o", dir}))
	require.Contains(t, errOut.String(), "holds no scene")
}
