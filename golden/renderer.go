package golden

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"image"

	"pica200/pipeline"
	"pica200/scene/source"
)

// DefaultRenderer renders with this project's pipeline. It is a DrawHasher.
var DefaultRenderer Renderer = pipelineRenderer{}

// pipelineRenderer replays traces and draws scenes and models.
type pipelineRenderer struct{}

// Render implements Renderer.
func (pipelineRenderer) Render(ctx context.Context, job Job) (map[string]image.Image, error) {
	src, err := job.open(Variant{})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	p, err := src.Draw(ctx, &source.Request{Time: job.T, Frame: job.Frame})
	if err != nil {
		return nil, err
	}
	images, empty := map[string]image.Image{}, false
	for _, target := range job.Targets {
		b, err := source.ParseBuffer(target)
		if err == nil {
			images[target], err = p.Image(b)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: image %q: %w", job.Source, target, err)
		}
		empty = empty || job.Note != nil && Blank(target, images[target])
	}
	if job.Note == nil {
		return images, nil
	}
	notes := src.Warnings()
	if s, ok := src.(*source.Scene); ok {
		remarks := s.Stage.Remarks()
		if job.Explain || empty {
			if remarks, err = s.Diagnose(ctx, job.T); err != nil {
				return nil, err
			}
		}
		notes = append(notes, remarks...)
	}
	for _, n := range notes {
		job.Note(n)
	}
	return images, nil
}

// open opens the job's source.
func (job *Job) open(v Variant) (source.Source, error) {
	return source.Open(job.Source, source.Options{Roots: job.Roots, Data: job.Data, Named: true, Strict: job.Strict,
		Workers: cmp.Or(v.Workers, job.Workers), PlainKernels: v.Kernels == "go", CheckpointBytes: -1})
}

// DrawHashes implements DrawHasher.
func (pipelineRenderer) DrawHashes(ctx context.Context, job Job, v Variant) ([]DrawHash, error) {
	src, err := job.open(v)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var hashes []DrawHash
	last := 0
	if rec, ok := src.(*source.Recording); ok {
		if last, err = rec.FrameAt(job.Frame); err != nil {
			return nil, err
		}
	}
	for frame := range last + 1 {
		first := len(hashes)
		p, err := src.Draw(ctx, &source.Request{Time: job.T, Frame: frame, Prepare: func(g *pipeline.GPU) error {
			g.AfterDraw = func(d *pipeline.DrawInfo) error {
				t, err := g.LastTarget()
				if err == nil {
					hashes = append(hashes, DrawHash{Frame: frame, Draw: d.Index, What: fmt.Sprintf("%v, %d vertices", d.Kind, d.Vertices), Color: hash(t.Color), Depth: hash(t.Depth)})
				}
				return err
			}
			return nil
		}})
		if err != nil {
			return hashes, err
		}
		for i, name := range p.Names {
			hashes[first+i].What = name
		}
	}
	return hashes, nil
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
