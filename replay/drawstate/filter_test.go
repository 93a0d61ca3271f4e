package drawstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/rows"
)

// What filters leave of draws: words in any case, all of them, and comparisons.
func TestFilter(t *testing.T) {
	row := rows.New("draw {draw}", "30 Triangles, 0:64x64 rgba8", "draw", 4, "pixels", uint64(1000), "us", int64(70), "pass", 1)
	for text, want := range map[string]bool{
		"": true, "  ": true, "TRI rgba": true, "rgba8 draw": true, "rgba4": false, "tri rgba4": false, "draw 4": true,
		"pixels>999": true, "pixels>1000": false, "pixels<1001": true, "pixels<1000": false, "pixels=1000": true, "pixels=100": false,
		"us>50 pass=1": true, "us>50 pass=0": false, "Pixels>999 30": true, "vertices>0": false, "vertices<1": false,
		"pixels>": false, "pixels>1e3": false, "64x64": true, "pixels<99999999999999999999999": true,
	} {
		require.Equal(t, want, Filter(text)(&row), "%q", text)
	}
}
