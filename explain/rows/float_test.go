package rows

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Numbers that JSON cannot represent survive a round trip.
func TestFloatsInJSON(t *testing.T) {
	for _, f := range []float32{0, 1, -0.1, math.MaxFloat32, 1e-40, float32(math.Inf(1)), float32(math.Inf(-1))} {
		b := testkit.Must(json.Marshal(Float(f)))(t)
		var back Float
		require.NoError(t, json.Unmarshal(b, &back))
		require.Equal(t, Float(f), back)
	}
	b := testkit.Must(json.Marshal([]Float{Float(math.NaN())}))(t)
	require.Equal(t, `["NaN"]`, string(b))
	var back []Float
	require.NoError(t, json.Unmarshal(b, &back))
	require.True(t, math.IsNaN(float64(back[0])))
	require.Error(t, json.Unmarshal([]byte(`["one"]`), &back))
}
