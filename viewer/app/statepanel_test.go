package app

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/drawstate"
	"pica200/viewer/ui"
)

// The state of a draw has registers with search and changes, textures with levels and channels, tables and uniforms; it follows the
// selected draw.
func TestStatePanel(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.keyJobs(KeyTab)
	p := &d.state
	require.Equal(t, dockState, d.dock)
	require.NoError(t, p.err)
	require.Equal(t, 2, p.state.Input.Draw, "the last draw is selected")
	d.Overlay()
	// The summary comes first; its rows link to the registers.
	require.Equal(t, tabSummary, p.tabs.At)
	require.Contains(t, p.views[tabSummary].String(), "  stage 0 rgb    ")
	d.clickJobs("show GPUREG_TEXENV0_SOURCE")
	d.Overlay()
	require.Equal(t, tabRegisters, p.tabs.At)
	require.Contains(t, p.views[tabRegisters].String(), "dmp_TexEnv[0].srcRgb")
	require.NotContains(t, p.views[tabRegisters].String(), "GPUREG_TEXENV1_SOURCE")
	p.search.Set("")
	p.fill()

	// Search finds registers, fields, values and uniforms.
	d.screen.Focus(&p.search)
	d.chars("texenv0 srcRgb")
	text := p.views[tabRegisters].String()
	require.Contains(t, text, "dmp_TexEnv[0].srcRgb")
	require.NotContains(t, text, "dmp_TexEnv[1].srcRgb")
	require.NotContains(t, text, "combineRgb")
	p.search.Set("")
	d.chars("no such thing")
	require.Equal(t, "no match\n", p.views[tabRegisters].String())
	p.search.Set("")
	p.fill()

	// Only changed registers, with their previous values.
	d.clickJobs("only what this draw has changed")
	for _, l := range p.views[tabRegisters].Lines {
		if l.Color != ui.Dim { // skips the uniforms that set the field
			require.Contains(t, l.Text, ", was ", "%q", l.Text)
		}
	}
	n := 0
	for _, c := range drawstate.Changes(p.state.Before, &p.state.Input) {
		if len(c.Rows) > 0 {
			n++
		}
	}
	heads := 0
	for _, l := range p.views[tabRegisters].Lines {
		if l.Head {
			heads++
		}
	}
	require.Equal(t, n, heads, "the registers listed are the changed ones")
	d.show(0)
	require.Equal(t, 0, p.state.Input.Draw, "the panel follows the selected draw")
	require.Contains(t, p.views[tabRegisters].String(), "there is no draw before it")
	p.only = false

	// A texture's picture, another of its levels, and one channel.
	d.clickJobs("Textures")
	require.Greater(t, len(p.state.Textures), 1)
	all := p.picture
	require.Equal(t, p.state.Textures[0].Image.Bounds().Size(), all.Bounds().Size())
	d.clickJobs("choose a texture and its level")
	d.Overlay()
	d.Key(KeyDown, 0)
	d.Key(KeyEnter, 0)
	d.Overlay()
	require.Equal(t, textureOf(&p.state.Textures[1]), p.texture)
	require.Equal(t, p.state.Textures[1].Image.Bounds().Size(), p.picture.Bounds().Size())
	d.clickJobs("channel R")
	d.clickJobs("channel G")
	d.Overlay()
	for _, q := range []image.Point{{0, 0}, {3, 5}} {
		c := color.NRGBAModel.Convert(p.picture.At(q.X, q.Y)).(color.NRGBA)
		want := color.NRGBAModel.Convert(p.state.Textures[1].Image.At(q.X, q.Y)).(color.NRGBA)
		require.Equal(t, color.NRGBA{want.B, want.B, want.B, 255}, c, "a single channel is shown as grey")
	}
	d.clickJobs("Tables")
	was := p.table
	require.Positive(t, drawstate.TablesOf(&p.state.Input.Tables)[was].Used(), "the first table with contents is selected")
	d.clickJobs("choose a table")
	d.Overlay()
	d.Key(KeyDown, 0)
	d.Key(KeyEnter, 0)
	require.Equal(t, was+1, p.table)
	for i := range drawstate.TablesOf(&p.state.Input.Tables) {
		p.table = i
		d.dirty = true
		d.Overlay()
	}
	d.clickJobs("Uniforms")
	text = p.views[tabUniforms].String()
	require.Regexp(t, `c[0-9]+ to c[0-9]+`, text)
	require.Contains(t, text, "dmp_")
	d.Key(KeyTab, 0)
	require.Equal(t, dockNone, d.dock)

	require.NoError(t, d.Close())
	scene := drive(t, open(t, window), Options{})
	scene.Key('E', 0)
	require.Contains(t, scene.message.text, "only recordings have")
}

// A pixel leads to the shader: an interpolated value links to the line of the recorded program that writes it last, in the
// fragment's draw.
func TestPixelLinksToShaderLine(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.Resize(800, 240, 1)
	d.inspect(image.Pt(200, 90))
	draw := d.inspector.last.Draw
	require.NotEqual(t, 2, draw, "the pixel's draw is not the last one")
	for _, tt := range [][2]string{{"color", "mov o2, v3"}, {"normalquat", "mov o1, r3"}, {"position", "dp4 o0.w, c3, r1"}} {
		lines := d.inspector.view.Lines
		i := slices.IndexFunc(lines, func(l ui.Line) bool { return l.Tip == "show the line that writes "+tt[0] })
		require.GreaterOrEqual(t, i, 0, tt[0])
		lines[i].Do()
		d.ran()
		p := &d.state
		require.Equal(t, dockState, d.dock)
		require.Equal(t, tabShaders, p.tabs.At)
		require.Equal(t, draw, p.state.Input.Draw)
		require.Equal(t, draw, d.req.Draw)
		marked := ""
		for _, l := range p.views[tabShaders].Lines {
			if l.Color == ui.Changed {
				marked = l.Text
			}
		}
		require.Contains(t, marked, tt[1])
		require.Contains(t, marked, "; "+tt[0])
		img, _ := d.Overlay()
		seen := 0
		r := d.dockRect()
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if img.RGBAAt(x, y) == ui.Changed {
					seen++
				}
			}
		}
		require.Greater(t, seen, 20, "the linked line is visible")
		d.inspect(d.inspector.pixel)
	}
	d.OpenFile(lights) // without an Open function nothing is opened, and nothing is reset
	require.NotEmpty(t, d.state.output)
	d.opened(d.info, nil)
	require.Empty(t, d.state.output)
}

func TestTextureChannels(t *testing.T) {
	src := image.NewNRGBA(image.Rect(5, 5, 6, 6))
	src.SetNRGBA(5, 5, color.NRGBA{10, 20, 30, 40})
	for on, want := range map[[4]bool]color.NRGBA{
		{true, true, true, true}: {10, 20, 30, 40}, {true, true, true, false}: {10, 20, 30, 255}, {}: {0, 0, 0, 255},
		{false, true, true, false}: {0, 20, 30, 255}, {false, false, true, false}: {30, 30, 30, 255}, {false, false, false, true}: {40, 40, 40, 255},
	} {
		require.Equal(t, want, channelsOf(src, on).At(0, 0), "%v", on)
	}
}
