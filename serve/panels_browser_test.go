package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/replay/blame"
	"pica200/scene/scenebuild"
	"pica200/serve/engine"
	"pica200/serve/play"
	"pica200/shaderunit/asm"
)

// quote writes a text as JavaScript has it.
func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	return string(data)
}

// nativePicture draws a scene as the program does.
func nativePicture(t *testing.T, st *scenebuild.Stage) (*image.NRGBA, error) {
	t.Helper()
	g, _, err := st.Render(t.Context(), st.Scene.Time, scenebuild.Options{})
	require.NoError(t, err)
	target, err := g.LastTarget()
	require.NoError(t, err)
	return pipeline.ColorImage(target)
}

// nrgba is a picture as ours are.
func nrgba(img image.Image) *image.NRGBA {
	if n, ok := img.(*image.NRGBA); ok {
		return n
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

// otherBuild is a recording as another build of the program draws it, which writes no
// colours in one draw.
func otherBuild(t *testing.T, name string, draw int) engine.Source {
	t.Helper()
	e := engine.New(engine.Options{}, recording(t, name))
	return engine.Source{Name: "other build", Remote: func(ctx context.Context, r *engine.Request) (*engine.Answer, error) {
		if r.Op == "sums" { // one that has no sums yet
			return nil, &engine.Error{Code: engine.CodeRequest, Text: "there is no such request"}
		}
		its := *r
		its.File = 0
		if r.Op == "picture" && r.Draw >= draw {
			its.Edits = []engine.Edit{{Draw: draw, Register: "GPUREG_DEPTH_COLOR_MASK", Value: 0}}
		}
		return e.Do(ctx, &its)
	}}
}

// A geometry shader, run by run and step by step, with what it emits.
func TestGeometryShaderInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	st, err := scenebuild.Load("examples/shards.yaml")
	require.NoError(t, err)
	data, names, err := st.RecordNamed(t.Context(), []float64{0}, scenebuild.Options{})
	require.NoError(t, err)
	p := &tab{t: t, ctx: browser(t)}
	open := func(context.Context) (*picatrace.Trace, [][]string, error) {
		trace, err := picatrace.Parse(data)
		return trace, names, err
	}
	texts := func() [][]asm.Source {
		return play.ShadersOf(st.Scene, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join("examples", name)) })
	}
	const hostile = `<img src=x onerror="document.title='owned'">`
	p.do(chromedp.Navigate(started(t, engine.Source{Name: "shards.yaml", Open: open, Shaders: texts}, engine.Source{Name: hostile,
		Open: func(context.Context) (*picatrace.Trace, [][]string, error) {
			trace, err := picatrace.Parse(data)
			return trace, [][]string{{hostile}}, err
		}, Shaders: func() [][]asm.Source {
			list := texts()
			list[0][1].Name = hostile
			return list
		}})))
	p.until(count("#tree .row.draw") + " === 1")
	p.idle()
	p.leave()
	p.press("7")
	p.until(count("#panel .line.ran") + " > 3")
	p.enter("#panel select", "geometry")
	p.until(`document.querySelector("#panel .bar").textContent.includes("of 1800")`)
	p.until(count("#panel .line.ran") + " > 20")
	p.enter("#panel input[type=number]", "70")
	p.idle()
	p.do(chromedp.Click(`[aria-label^="To the next breakpoint"]`))
	p.until(`document.querySelector("#panel .values").textContent.includes("Emitted: 3 vertices, 1 triangles")`)
	require.Equal(t, "3", p.text(count("#panel .values table[aria-label='Emitted vertices'] tr")))
	require.Contains(t, p.text(`document.querySelector("#panel .listing").textContent`), "emits slot 2, a triangle")
	require.Contains(t, p.text(`document.querySelector("#panel .listing.text .now").textContent`), "end")
	require.Contains(t, p.text(`document.querySelector("#panel .listing.text").getAttribute("aria-label")`), "shards.g.pica")
	p.keep("geometry")

	// A breakpoint stops there.
	p.do(chromedp.Click(`[aria-label="To the start"]`))
	p.text(`[...document.querySelectorAll("#panel .line.ran .break")].at(9).click()`)
	p.do(chromedp.Click(`[aria-label^="To the next breakpoint"]`))
	require.Regexp(t, `^10 of `, p.text(`document.querySelector("#panel [aria-label=Steps] [role=status]").textContent`))

	// Names of files, draws and texts are text.
	p.enter("#file", "1")
	p.until(`document.getElementById("title").textContent.includes("<img")`)
	p.idle()
	p.until(`(document.querySelector("#panel .listing.text")?.getAttribute("aria-label") || "").includes("<img")`)
	require.Equal(t, "0", p.text(count("img")))
	require.NotEqual(t, "owned", p.text("document.title"))
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// Two builds' pictures, draw by draw, and a screenshot that something else made.
func TestCompareInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	p := &tab{t: t, ctx: browser(t)}
	blamed := func(ctx context.Context, r *pipeline.Replayer, shot []byte, frame int, what string) (any, *image.NRGBA, error) {
		img, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			return nil, nil, err
		}
		report, err := blame.Run(ctx, r, img, blame.Options{Frame: frame, Screen: what})
		if err != nil {
			return nil, nil, err
		}
		return report, report.Difference, nil
	}
	p.do(chromedp.Navigate(startedWith(t, engine.Options{Blame: blamed}, recording(t, "lights"), otherBuild(t, "lights", 1))))
	p.until(count("#tree .row.draw") + " >= 3")
	p.idle()
	p.leave()
	p.press("9")
	p.until(count("#panel input[type=file]") + " === 1")

	// Without a mouse, also where the panel is made anew.
	order := []string{"panel", "Compared with the file", "Frame of that file", "Compare draw by draw", "input", "Show the difference", "Show the other", "Show this one", "Screenshot (PNG)", "What the screenshot shows"}
	p.tabTo("#tabs button")
	for _, want := range order {
		p.press(kb.Tab)
		require.Equal(t, want, p.focused())
	}
	for p.focused() != "Compare draw by draw" {
		p.tabBack()
	}
	p.press(kb.Enter)
	p.until(`document.querySelector("#panel [role=status]").textContent.includes("the first is draw 1")`)
	p.tabTo("#panel td button")
	p.press(kb.Enter)
	p.until(`/^[1-9]\d* pixels differ/.test(document.getElementById("under").textContent)`)
	p.idle()
	require.Contains(t, p.text(`document.getElementById("title").textContent`), "draw 1")
	p.until(`document.activeElement.localName === "button"`)
	require.Equal(t, "Draw 1: show the difference", p.focused())
	p.keep("compare")
	names := p.heard()
	require.Contains(t, names["table"], "Draws side by side")
	require.Subset(t, names["columnheader"], []string{"here", "there", "what", "result"})
	require.Empty(t, p.pale())
	difference := p.text(`document.getElementById("canvas").toDataURL()`)
	for p.focused() != "Show the other" {
		p.tabBack()
	}
	p.press(" ")
	p.until(`document.getElementById("picture").value === "other" && document.getElementById("busy").textContent === ""`)
	require.NotEqual(t, difference, p.text(`document.getElementById("canvas").toDataURL()`))

	shot := image.NewNRGBA(image.Rect(0, 0, 400, 240))
	file := filepath.Join(t.TempDir(), "<img src=x onerror=alert(1)>.png")
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, shot))
	require.NoError(t, os.WriteFile(file, data.Bytes(), 0o666))
	p.do(chromedp.SetUploadFiles("#panel input[type=file]", []string{file}))
	p.until(count("#panel table[aria-label=Suspects] tr") + " > 1")
	require.Contains(t, p.text(`document.getElementById("panel").textContent`), "it shows the top")
	p.keep("blame")
	require.Contains(t, p.heard()["table"], "Suspects")

	// The suspects stay when one of them is gone to.
	p.tabTo("#panel table[aria-label=Suspects] button")
	suspect := p.focused()
	require.Regexp(t, `^Go to draw \d of frame 0$`, suspect)
	p.press(kb.Enter)
	p.until(`document.getElementById("title").textContent.endsWith(` + quote(strings.TrimSuffix(strings.TrimPrefix(suspect, "Go to "), " of frame 0")) + `)`)
	p.idle()
	p.until(`document.activeElement.localName === "button"`)
	require.Equal(t, suspect, p.focused())
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}
