package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// The page holds the same content as the text, escaped, and loads nothing else.
func TestPageEqualsText(t *testing.T) {
	trace := testkit.Must(picatrace.Parse(testkit.Named(t, "shadow")[0].Read(t)))(t)
	r := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{}))(t)
	t.Cleanup(r.GPU.Close)
	e := testkit.Must(Pixel(t.Context(), r, pipeline.Position{Draw: pipeline.FrameEnd}, 100, 70))(t)
	e.Passes = testkit.Must(Passes(t.Context(), r, e))(t)
	e.SetNames(func(frame, draw int) string { return "<b>&" })
	var b bytes.Buffer
	require.NoError(t, WritePage(&b, "<i>", e))
	page := b.String()
	require.NotContains(t, page, "<b>")
	require.NotContains(t, page, "<i>&")
	require.NotContains(t, page, "://")
	require.Contains(t, page, "&lt;b&gt;&amp;")
	require.Equal(t, len(e.Events), strings.Count(page, "<details")-passEvents(e))
	require.Equal(t, 1+len(e.Passes), strings.Count(page, "<details open"))
	first := pixelOf(e).Events[0]
	n := 0
	rows.Walk(e.Events[0].Row().Rows, func(r *rows.Row, depth int) bool {
		require.Equal(t, lineOf(*r, depth+1), first.Lines[n], "rows are indented one level below the event")
		n++
		return true
	})
	require.Equal(t, lineOf(e.Events[0].Row(), 0), first.line)
	rows.Walk(e.Events[len(e.Events)-1].Row().Rows, func(r *rows.Row, _ int) bool {
		require.Contains(t, page, strings.NewReplacer("+", "&#43;", "<", "&lt;", ">", "&gt;", "&", "&amp;").Replace(r.Text()))
		return true
	})
}

func passEvents(e *History) (n int) {
	for _, p := range e.Passes {
		n += len(p.Events)
	}
	return n
}

// FuzzExplain explains a pixel of a damaged trace or returns an error; the record survives JSON, text and page with any numbers.
func FuzzExplain(f *testing.F) {
	for _, file := range testkit.Own(f) {
		if data := file.Read(f); len(data) < 16<<10 {
			f.Add(data, uint16(100), uint16(60), false)
			f.Add(data, uint16(100), uint16(60), true)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, x, y uint16, screen bool) {
		trace, err := picatrace.Parse(data)
		if err != nil || trace.Frames() == 0 || trace.Frames() > 8 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1}})
		if err != nil {
			return
		}
		defer r.GPU.Close()
		frame := trace.Frames() - 1
		var e *History
		if screen {
			e, err = Screen(ctx, r, frame, pipeline.ScreenTop, int(x), int(y))
		} else {
			e, err = Pixel(ctx, r, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, int(x), int(y))
		}
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		e.Passes, _ = Passes(ctx, r, e)
		text := testkit.Must(json.Marshal(e))(t)
		var again struct {
			Events []struct {
				Fragment *struct {
					Outcome string
					After   fragment.Pixel
				}
			}
		}
		require.NoError(t, json.Unmarshal(text, &again))
		for i := range e.Events {
			if fr := e.Events[i].Fragment; fr != nil {
				require.Equal(t, outcomes[fr.Outcome], again.Events[i].Fragment.Outcome)
				require.Equal(t, fr.After, again.Events[i].Fragment.After)
			}
		}
		var page bytes.Buffer
		require.NoError(t, WritePage(&page, "fuzz", e))
		for i := range e.Events {
			if fr := e.Events[i].Fragment; fr != nil && fr.Outcome != fragment.Written {
				require.Equal(t, fr.Before.Color, fr.After.Color, "a rejected fragment leaves the colour unchanged")
			}
		}
	})
}
