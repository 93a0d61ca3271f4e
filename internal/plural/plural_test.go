package plural

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	require.Equal(t, []string{"0 frames", "1 frame", "2 frames", "-1 frames", "1 pass", "2 passes", "0 meshes"},
		[]string{Of(0, "frame"), Of(1, "frame"), Of(2, "frame"), Of(-1, "frame"), Of(1, "pass"), Of(2, "pass"), Of(0, "mesh")})
}
