package golden

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"image"
	"strings"

	"pica200/assets/picatrace"
	"pica200/internal/files"
	"pica200/pipeline"
	"pica200/raster"
	"pica200/scene/scenebuild"
)

// DefaultRenderer renders with this project's pipeline. It is a DrawHasher.
var DefaultRenderer Renderer = pipelineRenderer{}

// pipelineRenderer replays traces and draws scenes and models.
type pipelineRenderer struct{}

// Render implements Renderer.
func (pipelineRenderer) Render(ctx context.Context, job Job) (map[string]image.Image, error) {
	g, _, err := drawSource(ctx, job, Variant{}, nil)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	images := map[string]image.Image{}
	for _, target := range job.Targets {
		if images[target], err = imageOf(g, target); err != nil {
			return nil, fmt.Errorf("%s: image %q: %w", job.Source, target, err)
		}
	}
	return images, nil
}

// isTrace recognizes a trace by its first bytes.
func isTrace(path string) (bool, error) {
	head, err := files.Head(path, int64(len(picatrace.Magic)))
	if err != nil {
		return false, err
	}
	return picatrace.IsTrace(head) || strings.HasSuffix(path, ".ctf") || strings.HasSuffix(path, ".picatrace"), nil
}

// drawSource draws the job's source. It returns the GPU with everything drawn,
// and a scene's names of its draws in order; nil for a trace. after, if not
// nil, is called after each draw. The caller closes the GPU, which is nil with
// an error.
func drawSource(ctx context.Context, job Job, v Variant, after func(g *pipeline.GPU, frame, n int, what string) error) (*pipeline.GPU, []string, error) {
	trace, err := picatrace.IsTrace(job.Data), error(nil)
	if job.Data == nil {
		trace, err = isTrace(job.Source)
	}
	if err != nil {
		return nil, nil, err
	}
	if trace {
		g, err := drawTrace(ctx, job, v, after)
		return g, nil, err
	}
	load := scenebuild.Load
	if job.Data != nil {
		load = func(name string, roots ...string) (*scenebuild.Stage, error) {
			return scenebuild.Parse(name, job.Data, roots...)
		}
	}
	st, err := load(job.Source, job.Roots...)
	if err != nil {
		return nil, nil, err
	}
	o := scenebuild.Options{Workers: job.Workers, PlainKernels: v.Kernels == "go"}
	if after != nil {
		o.AfterDraw = func(g *pipeline.GPU, n int) error { return after(g, 0, n, "") }
	}
	return st.Render(ctx, job.T, o)
}

func drawTrace(ctx context.Context, job Job, v Variant, after func(g *pipeline.GPU, frame, n int, what string) error) (*pipeline.GPU, error) {
	data, err := job.Data, error(nil)
	if data == nil {
		data, err = files.ReadRegular(job.Source, files.Max)
	}
	if err != nil {
		return nil, err
	}
	t, err := picatrace.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", job.Source, err)
	}
	p, err := pipeline.NewPlayer(t, pipeline.Options{Workers: job.Workers, Strict: job.Strict, PlainKernels: v.Kernels == "go"})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", job.Source, err)
	}
	frame := job.Frame
	if frame < 0 {
		frame = max(0, p.Frames()-1)
	}
	if err := picatrace.CheckFrame(frame, p.Frames()); err != nil {
		return nil, fmt.Errorf("%s: %w", job.Source, err)
	}
	for i := 0; i <= frame; i++ {
		if after != nil {
			p.GPU.AfterDraw = func(d *pipeline.DrawInfo) error {
				return after(p.GPU, i, d.Index, fmt.Sprintf("%v, %d vertices", d.Kind, d.Vertices))
			}
		}
		if _, err := p.NextFrame(ctx); err != nil {
			p.GPU.Close()
			return nil, fmt.Errorf("%s: %w", job.Source, err)
		}
	}
	return p.GPU, nil
}

// imageOf reads one of Targets.
func imageOf(g *pipeline.GPU, target string) (image.Image, error) {
	switch target {
	case "top":
		return g.Screen(pipeline.ScreenTop), nil
	case "topright":
		return g.Screen(pipeline.ScreenTopRight), nil
	case "bottom":
		return g.Screen(pipeline.ScreenBottom), nil
	}
	last, read := g.LastTarget, map[string]func(*raster.Target) (image.Image, error){
		"color":   func(t *raster.Target) (image.Image, error) { return pipeline.ColorImage(t) },
		"depth":   func(t *raster.Target) (image.Image, error) { return pipeline.DepthImage(t) },
		"stencil": func(t *raster.Target) (image.Image, error) { return pipeline.StencilImage(t) },
		"gas":     func(t *raster.Target) (image.Image, error) { return pipeline.GasImage(t) },
		"shadow":  func(t *raster.Target) (image.Image, error) { return pipeline.ShadowImage(t) },
	}[target]
	switch target {
	case "gas":
		last = g.LastGas
	case "shadow":
		last = g.LastShadow
	}
	if read == nil {
		return nil, fmt.Errorf("there is no such image; there are %v", Targets)
	}
	t, err := last()
	if err != nil {
		return nil, err
	}
	return read(t)
}

// DrawHashes implements DrawHasher.
func (pipelineRenderer) DrawHashes(ctx context.Context, job Job, v Variant) ([]DrawHash, error) {
	if v.Workers > 0 {
		job.Workers = v.Workers
	}
	var hashes []DrawHash
	g, names, err := drawSource(ctx, job, v, func(g *pipeline.GPU, frame, n int, what string) error {
		t, err := g.LastTarget()
		if err != nil {
			return err
		}
		hashes = append(hashes, DrawHash{Frame: frame, Draw: n, What: what, Color: hash(t.Color), Depth: hash(t.Depth)})
		return nil
	})
	if g != nil {
		g.Close()
	}
	for i := range hashes {
		if n := hashes[i].Draw; n < len(names) {
			hashes[i].What = names[n]
		}
	}
	return hashes, err
}

// hash identifies the contents of a buffer, "" if there is none. FNV can be
// forged, but here it only finds the first draw that two builds draw
// differently. It must not change, because other builds use it too.
func hash(b []byte) string {
	if b == nil {
		return ""
	}
	h := fnv.New128a()
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}
