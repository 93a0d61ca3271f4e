package scenebuild_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/scene"
	"pica200/scene/scenebuild"
)

// wantMark follows the damage on its line, before the words that the message
// must have.
const wantMark = "  # want: "

// TestDamagedScenes gives scenes with one mistake each to all that reads them.
// The error must name file and line, quote the line, and have the words that
// help: what is wrong, or the nearest name that is right.
func TestDamagedScenes(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/scenes/damaged/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 30)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			lines := strings.Split(string(text), "\n")
			line, words := 0, ""
			for i, l := range lines {
				if before, after, ok := strings.Cut(l, wantMark); ok {
					require.Zero(t, line, "one mark a file")
					line, words, lines[i] = i+1, strings.TrimSpace(after), before
				}
			}
			require.NotZero(t, line, "no line is marked with %q", wantMark)
			err = readAndDraw(path, strings.Join(lines, "\n"))
			require.Error(t, err)
			require.Contains(t, err.Error(), fmt.Sprintf("%s:%d:", path, line))
			require.Contains(t, err.Error(), fmt.Sprintf("%d | %.60s", line, lines[line-1]), "the line is quoted")
			message, _, _ := strings.Cut(err.Error(), "\n")
			require.Contains(t, message, words)
		})
	}
}

// TestWholeScene draws the scene that the damaged ones were made of, so that
// nothing but the damage is wrong with them.
func TestWholeScene(t *testing.T) {
	text, err := os.ReadFile("../../testdata/scenes/damaged/unknown-key.yaml")
	require.NoError(t, err)
	whole := strings.ReplaceAll(string(text), "cammera:", "camera:")
	require.NoError(t, readAndDraw("whole.yaml", whole))
}

func readAndDraw(path, text string) error {
	s, err := scene.Parse(path, []byte(text))
	if err != nil {
		return err
	}
	st, err := scenebuild.New(s)
	if err != nil {
		return err
	}
	_, _, err = st.Render(context.Background(), 0, scenebuild.Options{Workers: 1})
	return err
}
