package blame

import (
	"context"
	"image"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// FuzzBlame compares any picture with any trace: the result is an error or a consistent report.
func FuzzBlame(f *testing.F) {
	for _, file := range testkit.Own(f) {
		if data := file.Read(f); len(data) < 16<<10 {
			f.Add(data, uint16(64), uint16(48), []byte{1, 2, 3, 4})
			f.Add(data, uint16(200), uint16(120), []byte{0})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, w, h uint16, pix []byte) {
		trace, err := picatrace.Parse(data)
		if err != nil || trace.Frames() == 0 || trace.Frames() > 4 || len(pix) == 0 {
			return
		}
		shot := image.NewNRGBA(image.Rect(0, 0, int(w%300), int(h%300)))
		for i := range shot.Pix {
			shot.Pix[i] = pix[i%len(pix)]
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1}})
		if err != nil {
			return
		}
		defer r.GPU.Close()
		rep, err := Run(ctx, r, shot, Options{Frame: trace.Frames() - 1, Tolerance: 2})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.LessOrEqual(t, rep.Differing, rep.Compared)
		require.LessOrEqual(t, rep.Compared, rep.Ours.Rect.Dx()*rep.Ours.Rect.Dy())
		for _, s := range rep.Suspects {
			require.LessOrEqual(t, s.Differing, min(rep.Differing, s.Reach))
			require.GreaterOrEqual(t, s.Score, 0.0)
			require.LessOrEqual(t, s.Score, 1.0)
		}
		require.NoError(t, rep.WriteHTML(io.Discard, "fuzz"))
		rep.WriteText(io.Discard)
	})
}
