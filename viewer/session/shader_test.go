package session

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Binaries of public homebrew draw something, and guesses are listed as warnings.
func TestPublicShaderBinariesShow(t *testing.T) {
	for _, path := range testkit.Corpus(t, "shbin/*.shbin") {
		s := open(t, path)
		p := render(t, s, &Request{Draw: -1})
		s.Close()
		first, differs := p.Image.At(0, 0), 0
		for y := p.Image.Bounds().Min.Y; y < p.Image.Bounds().Max.Y; y += 4 {
			for x := p.Image.Bounds().Min.X; x < p.Image.Bounds().Max.X; x += 4 {
				if p.Image.At(x, y) != first {
					differs++
				}
			}
		}
		require.Greater(t, differs, 100, path)
		require.NotEmpty(t, p.Warnings, path)
		require.Contains(t, p.Warnings[0], "taken to be, since nothing else is said", path)
	}
}

// A shader that draws nothing gives the reason.
func TestShaderWithoutPositionWarns(t *testing.T) {
	s := open(t, "../../scene/scenebuild/testdata/shaders/no-position.v.pica")
	p := render(t, s, &Request{Draw: -1})
	require.Contains(t, p.Warnings, "program main: the program writes no position")
}
