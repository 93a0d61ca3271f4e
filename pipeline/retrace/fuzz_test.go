package retrace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// seeds adds our own traces in both formats.
func seeds(f *testing.F) {
	for _, file := range testkit.Own(f) {
		data := file.Read(f)
		if len(data) > 16<<10 {
			continue
		}
		f.Add(data)
		tr := states.Parse(f, data)
		var out bytes.Buffer
		require.NoError(f, Pack(f.Context(), tr, &out, PackOptions{Options: Options{Writer: picatrace.WriterOptions{Raw: true}}}))
		f.Add(out.Bytes())
	}
}

// checksums returns a checksum of the screens for each frame of a trace, or false if it fails or takes too long.
func checksums(tr *picatrace.Trace) (all [][32]byte, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	g, err := pipeline.Replay(ctx, tr, pipeline.Options{Workers: 1}, func(g *pipeline.GPU, _ pipeline.Frame) error {
		h := sha256.New()
		for s := range pipeline.ScreenTopRight + 1 {
			h.Write(g.Screen(s).Pix)
		}
		all = append(all, [32]byte(h.Sum(nil)))
		return ctx.Err()
	})
	g.Close()
	return all, err == nil
}

// FuzzCut cuts any trace that replays: the result replays to the same screens.
func FuzzCut(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := picatrace.Parse(data)
		if err != nil || tr.Frames() == 0 || tr.Frames() > 8 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		last := tr.Frames() - 1
		first := last / 2
		var cut, strip bytes.Buffer
		if _, err := Cut(ctx, tr, first, last, &cut, Options{Workers: 1}); err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		if _, err := Strip(ctx, tr, last, &strip, Options{Workers: 1}); err == nil {
			parse(t, strip.Bytes())
		}
		want, ok := checksums(tr)
		if !ok {
			return
		}
		if got, ok := checksums(parse(t, cut.Bytes())); ok {
			require.Equal(t, want[first:], got)
		}
	})
}

// FuzzConvert converts any trace that replays to both formats: the results replay to the same screens.
func FuzzConvert(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := picatrace.Parse(data)
		if err != nil || tr.Frames() == 0 || tr.Frames() > 8 {
			return // a CiTrace without a frame marker is one frame
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		want, ok := checksums(tr)
		if !ok {
			return
		}
		var packed bytes.Buffer
		if Pack(ctx, tr, &packed, PackOptions{}) != nil {
			return
		}
		again := states.Parse(t, packed.Bytes())
		if got, ok := checksums(again); ok {
			require.Equal(t, want, got)
		}
		b, lost, err := tr.CiTrace()
		if err != nil {
			return
		}
		for _, l := range lost {
			if l == "the update of the gas density after a command list" {
				return
			}
		}
		old := states.Built(t, b)
		if got, ok := checksums(old); ok {
			require.Equal(t, want, got)
		}
	})
}
