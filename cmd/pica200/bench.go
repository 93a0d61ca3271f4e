package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"pica200/internal/simd"
	"pica200/pipeline"
	"pica200/scene/source"
)

type benchCmd struct {
	Trace   string `arg:"" help:"Recorded trace (.ctf, .picatrace), - for standard input."`
	Repeat  int    `short:"n" default:"5" placeholder:"N" help:"Number of replays to measure (default 5)."`
	Workers int    `default:"0" placeholder:"N" help:"Number of threads that draw; 0 for one per CPU."`
	JSON    bool   `help:"Print the figures as JSON."`
	Forget  string `enum:"nothing,values,programs" default:"nothing" placeholder:"WHAT" help:"What to compute anew for each draw: nothing, values, or programs (of the fragment stage, with values) (default nothing)."`
	timeFlags
	strictFlags
}

func (benchCmd) Help() string {
	return `Replays a trace several times and prints the times. The file is in
memory, and the state of the GPU is rebuilt before each replay, which is not
measured. A first replay, also not measured, fills the caches of compiled
states, as earlier frames of a game would, and a last one counts allocations.

A replayed recording hits caches more often than a game. With --forget values,
each draw computes its samplers and values anew; this measures a scene in which
everything moves. With --forget programs, each replay also compiles its programs
again, which a game does only when it draws something for the first time.

Everything up to the transfers to the screens is measured; making pictures is
not. An invalid draw that the console would skip is a warning, as with "pica200
render".

"ns per vertex" and "ns per fragment" are the whole time of the fastest replay,
divided by the number of shaded vertices and of written fragments.

Examples:

  pica200 bench game.ctf
  pica200 bench game.ctf --repeat 20 --workers 1
  pica200 bench game.ctf --forget values
  pica200 bench game.ctf --json`
}

// benchResult is the output of bench. The names of fields have the units of
// times.
type benchResult struct {
	Trace             string    `json:"trace"`
	Processor         string    `json:"processor"` // system and processor that the program was built for
	Kernels           string    `json:"kernels"`   // AVX2, portable or plain
	Workers           int       `json:"workers"`
	Repeat            int       `json:"repeat"`
	MinSeconds        float64   `json:"min_seconds"`    // of a replay
	MedianSeconds     float64   `json:"median_seconds"` // of a replay
	Frames            int       `json:"frames"`
	MsPerFrame        float64   `json:"ms_per_frame"`  // of the fastest replay
	FrameMs           []float64 `json:"frame_ms"`      // fastest time of each frame
	Draws             int       `json:"draws"`         // the counts are of one replay
	Triangles         int       `json:"triangles"`     // handed to the rasterizer
	Primitives        int       `json:"primitives"`    // assembled, before clipping and culling
	Vertices          int       `json:"vertices"`      // vertex shader invocations
	Fragments         uint64    `json:"fragments"`     // that passed every test
	NsPerVertex       float64   `json:"ns_per_vertex"` // 0 without vertices
	NsPerFragment     float64   `json:"ns_per_fragment"`
	Allocations       uint64    `json:"allocations"` // of one more replay
	AllocatedBytes    uint64    `json:"allocated_bytes"`
	Compiled          uint64    `json:"compiled"` // programs, in the measured replays
	Decoded           uint64    `json:"decoded"`  // textures, in one replay
	FirstCompiled     uint64    `json:"first_compiled"`
	FirstReplaySecond float64   `json:"first_replay_seconds"` // the one before the measured ones
}

func (c *benchCmd) Run(ctx context.Context, con *console) error {
	if c.Repeat < 1 {
		return usagef("--repeat must be 1 or more")
	}
	rec, err := con.openRecording(c.Trace, source.Options{})
	if err != nil {
		return err
	}
	player, err := pipeline.NewPlayer(rec.Trace, pipeline.Options{Workers: c.Workers, Strict: c.Strict})
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Trace), err)
	}
	defer player.GPU.Close()
	player.GPU.MakeAnew(c.Forget != "nothing")
	res := benchResult{Trace: inputName(c.Trace), Processor: runtime.GOOS + "/" + runtime.GOARCH, Kernels: simd.Best.String(), Repeat: c.Repeat, Workers: player.GPU.Workers(), Frames: player.Frames()}
	all := c.Repeat + 2
	bar := newBar(con, c.JSON, all, "replays")
	defer bar.done()
	var seconds []float64
	for i := range all {
		if c.Forget == "programs" {
			if err := player.GPU.ForgetPrograms(ctx); err != nil {
				return fmt.Errorf("%s: %w", inputName(c.Trace), err)
			}
		}
		run, err := replayOnce(ctx, player, i == all-1)
		if err != nil {
			bar.done()
			warn(con, player.GPU.Warnings())
			return fmt.Errorf("%s: %w", inputName(c.Trace), err)
		}
		bar.step(i + 1)
		if i == 0 {
			res.FirstReplaySecond, res.FirstCompiled = run.seconds, run.stats.Compiled
			res.count(&run.stats)
			res.FrameMs = run.frameMs
			continue
		}
		if i == all-1 {
			res.Allocations, res.AllocatedBytes = run.allocs, run.bytes
			break
		}
		seconds = append(seconds, run.seconds)
		res.Compiled += run.stats.Compiled
		res.Decoded = run.stats.Decoded
		for f := range res.FrameMs {
			if i == 1 || run.frameMs[f] < res.FrameMs[f] {
				res.FrameMs[f] = run.frameMs[f]
			}
		}
	}
	bar.done()
	warn(con, player.GPU.Warnings()) // of the last replay; the others had the same
	res.summarise(seconds)
	return res.print(con.out, c.JSON)
}

// replay is the measure of one replay.
type replay struct {
	seconds       float64
	frameMs       []float64
	stats         pipeline.Stats
	allocs, bytes uint64
}

// replayOnce rebuilds the state and replays the whole trace. With count, it
// counts allocations; this stops all goroutines, also those that wait to help
// with the first frame, so such a replay is not measured.
func replayOnce(ctx context.Context, p *pipeline.Player, count bool) (r replay, err error) {
	if err := p.Rewind(); err != nil {
		return r, err
	}
	r.frameMs = make([]float64, 0, p.Frames())
	var before, after runtime.MemStats
	if count {
		runtime.ReadMemStats(&before)
	}
	start := time.Now()
	last := start
	for {
		f, err := p.NextFrame(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return r, err
		}
		now := time.Now()
		r.frameMs = append(r.frameMs, now.Sub(last).Seconds()*1000)
		last = now
		r.stats.Add(&f.Stats)
	}
	r.seconds = time.Since(start).Seconds()
	if count {
		runtime.ReadMemStats(&after)
	}
	r.allocs, r.bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	return r, nil
}

// count takes over the counts of a replay.
func (b *benchResult) count(s *pipeline.Stats) {
	b.Draws, b.Triangles, b.Primitives = s.Draws, s.Geometry.Triangles, s.Geometry.Primitives
	b.Vertices, b.Fragments = s.Geometry.Shaded, s.Fragments
}

// summarise computes what follows from the replays' times.
func (b *benchResult) summarise(seconds []float64) {
	slices.SortFunc(seconds, cmp.Compare[float64])
	b.MinSeconds = seconds[0]
	b.MedianSeconds = (seconds[(len(seconds)-1)/2] + seconds[len(seconds)/2]) / 2
	b.MsPerFrame = b.MinSeconds * 1000 / float64(b.Frames)
	if b.Vertices > 0 {
		b.NsPerVertex = b.MinSeconds * 1e9 / float64(b.Vertices)
	}
	if b.Fragments > 0 {
		b.NsPerFragment = b.MinSeconds * 1e9 / float64(b.Fragments)
	}
}

func (b *benchResult) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, b)
	}
	_, err := fmt.Fprintf(w, `%s: %d replays, %d workers, %s, %s kernels
  replay       min %.3f s, median %.3f s (the first, with cold caches, %.3f s)
  frame        %.3f ms of %d
`, b.Trace, b.Repeat, b.Workers, b.Processor, b.Kernels, b.MinSeconds, b.MedianSeconds, b.FirstReplaySecond, b.MsPerFrame, b.Frames)
	const most = 8
	for i, ms := range b.FrameMs[:min(len(b.FrameMs), most)] {
		if err == nil {
			_, err = fmt.Fprintf(w, "    frame %-4d %.3f ms\n", i, ms)
		}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `  draws        %d
  triangles    %d assembled, %d drawn (clipping makes several of one)
  vertices     %d shaded, %.1f ns each
  fragments    %d written, %.1f ns each
  compiled     %d programs in the replays that count, %d in the first
  decoded      %d textures per replay
  allocations  %d of %d bytes per replay
`, b.Draws, b.Primitives, b.Triangles, b.Vertices, b.NsPerVertex, b.Fragments, b.NsPerFragment, b.Compiled, b.FirstCompiled, b.Decoded, b.Allocations, b.AllocatedBytes)
	return err
}
