package session

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/tests/testkit"
)

const styled = `target: {width: 64, height: 64}
textures:
  one: a.png
  two: {file: a.png, mipmaps: true}
  three: {pattern: checker, wrap: repeat}
models:
  quad: {shape: quad, size: 3}
draws:
  - name: a
    model: quad
    depth: false # no test
    blend: alpha
    stencil: {func: never, ref: 1} # kept
    textures: [one]
  - name: b
    model: quad
    color: [1, 0, 0, 1]
  - name: c
    model: quad
    color: {keys: [[0, 1, 0, 0, 1], [1, 0, 0, 1, 1]]}
`

// grey returns a picture of one colour.
func grey(t *testing.T, v uint8) []byte {
	m, out := image.NewGray(image.Rect(0, 0, 8, 8)), new(bytes.Buffer)
	for i := range m.Pix {
		m.Pix[i] = v
	}
	require.NoError(t, png.Encode(out, m))
	return out.Bytes()
}

// What a draw has besides uniforms is edited like these, one value at a time, and saved where it stands.
func TestStyleEdits(t *testing.T) {
	for _, c := range []struct {
		name, draw string
		values     []any
		from, to   string // in the file
	}{
		{"draw:cull", "a", []any{"none"}, "textures: [one]\n", "textures: [one]\n    cull: none\n"},
		{"draw:stencil.func", "a", []any{"always"}, "{func: never, ref: 1}", "{func: always, ref: 1}"},
		{"draw:stencil.ref", "a", []any{7.0}, "ref: 1}", "ref: 7}"},
		{"draw:stencil.mask", "a", []any{15.0}, "ref: 1}", "ref: 1, mask: 15}"},
		{"draw:depth.test", "a", []any{"true"}, "depth: false # no test", "depth: {test: true, func: less, write: false} # no test"},
		{"draw:depth.func", "b", []any{"greater"}, "1]\n  - name: c", "1]\n    depth:\n      test: true\n      func: greater\n      write: true\n  - name: c"},
		{"draw:blend", "a", []any{"add"}, "blend: alpha", "blend: add"},
		{"draw:blend.dst", "a", []any{"one"}, "blend: alpha", "blend: {src: src_alpha, dst: one, src_alpha: one, dst_alpha: one_minus_src_alpha}"},
		{"draw:color", "b", []any{nil, 0.5, nil, nil}, "color: [1, 0, 0, 1]", "color: [1, 0.5, 0, 1]"},
		{"draw:write", "b", []any{"rg"}, "1]\n  - name: c", "1]\n    write: rg\n  - name: c"},
		{"draw:lit", "b", []any{"false"}, "1]\n  - name: c", "1]\n    lit: false\n  - name: c"},
		{"draw:scissor", "b", []any{nil, nil, 9.0, 8.0}, "1]\n  - name: c", "1]\n    scissor: [0, 0, 9, 8]\n  - name: c"},
		{"draw:textures.0", "a", []any{"two"}, "textures: [one]", "textures: [two]"},
		{"draw:textures.0", "b", []any{"two"}, "1]\n  - name: c", "1]\n    textures: [two]\n  - name: c"},
		{"picture:one", "", []any{"b.png"}, "one: a.png", "one: b.png"},
		{"picture:two", "", []any{"b.png"}, "{file: a.png, mipmaps", "{file: b.png, mipmaps"},
		{"picture:three", "", []any{"b.png"}, "{pattern: checker, wrap: repeat}", "{file: b.png}"},
	} {
		path := written(t, styled)
		for i, name := range []string{"a.png", "b.png"} {
			require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), name), grey(t, uint8(60+i*90)), 0o644))
		}
		s := open(t, path)
		r := request()
		r.Target = c.draw
		before := rowsByKey(t, s, r)[c.name]
		e := Edit{Name: c.name, Draw: c.draw, Values: c.values}
		require.NoError(t, e.Check())
		r.Edits[e.Key()] = e
		row := rowsByKey(t, s, r)[c.name]
		require.True(t, row.Changed, c.name)
		if require.Equal(t, before.Unsaid, row.Was.Unsaid); !before.Unsaid {
			require.Equal(t, before.Text, row.Was.Text)
		}
		require.Equal(t, before.Values, row.Was.Values)
		want := render(t, s, r)
		if c.name == "picture:one" { // in another folder the new file comes along
			other, copied := open(t, path), filepath.Join(t.TempDir(), "o.yaml")
			testkit.Must(other.(Writer).SaveAs(t.Context(), r, copied, false))(t)
			same(t, want.Image.Pix, render(t, open(t, copied), request()).Image.Pix)
		}
		s = writeBack(t, s, r)
		require.Equal(t, strings.Replace(styled, c.from, c.to, 1), string(testkit.Read(t, path)), c.name)
		same(t, want.Image.Pix, render(t, s, request()).Image.Pix)
		r.Edits = nil
		got := rowsByKey(t, s, r)[c.name]
		require.Equal(t, row.Text, got.Text)
		require.Equal(t, row.Values, got.Values)
	}
}

// An edit of all draws is written into each, and one of a part below the draw. A value that cannot be is refused.
func TestStyleEditsOfAllDrawsAndParts(t *testing.T) {
	path := copied(t)
	s := open(t, path)
	r := request()
	for _, e := range []Edit{{Name: "draw:cull", Values: []any{"front"}}, {Name: "draw:stencil.ref", Draw: "knot: material default", Values: []any{3.0}}} {
		r.Edits[e.Key()] = e
	}
	before := render(t, s, r)
	place := Edit{Name: PlacementAt, Draw: "knot", Values: []any{0.5, nil, nil}}
	r.Edits[place.Key()] = place
	want := render(t, s, r)
	differ(t, before.Image.Pix, want.Image.Pix)
	s = writeBack(t, s, r)
	text := string(testkit.Read(t, path))
	require.Equal(t, 2, strings.Count(text, "    cull: front\n"), text)
	require.Contains(t, text, "stencil: {func: always, ref: 3}")
	same(t, want.Image.Pix, render(t, s, request()).Image.Pix)
	for name, v := range map[string]any{"draw:write": "xyz", "draw:cull": "inside", "draw:stencil.ref": 256.0, "draw:depth.test": "perhaps"} {
		e := Edit{Name: name, Values: []any{v}}
		require.Error(t, e.Check(), name)
	}
}

// A unit of a draw gets a picture, which becomes a texture of the scene.
func TestPictureForAUnit(t *testing.T) {
	path := written(t, styled)
	for _, name := range []string{"a.png", "b.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), name), grey(t, 90), 0o644))
	}
	s := open(t, path)
	r := request()
	r.Target = "b"
	for unit, v := range map[string]string{"draw:textures.0": "none", "draw:textures.1": "b.png"} {
		e := Edit{Name: unit, Draw: "b", Values: []any{v}}
		r.Edits[e.Key()] = e
	}
	rowsByKey(t, s, r)
	row := rowsByKey(t, s, r)["draw:textures.1"]
	require.Equal(t, "b.png", row.Text)
	require.True(t, row.Changed)
	require.Equal(t, 1, strings.Count(strings.Join(s.Info().Files, "\n"), "b.png"), "each picture names the file anew")
	s = writeBack(t, s, r)
	text := string(testkit.Read(t, path))
	require.Contains(t, text, "textures: [none, b.png]")
	require.Contains(t, text, "  b.png: b.png\n")
	r.Edits = nil
	require.Equal(t, "b.png", rowsByKey(t, s, r)["draw:textures.1"].Text)
}

// The colour of a light that no draw has is saved as a uniform, as the light's key would not set it.
func TestLightOfUnlitDraws(t *testing.T) {
	const diffuse = "dmp_FragmentLightSource[0].diffuse"
	s := open(t, copied(t))
	r := request()
	for _, e := range []Edit{{Name: "draw:lit", Values: []any{"false"}}, {Name: diffuse, Values: []any{nil, 0.75, nil, nil}}} {
		r.Edits[e.Key()] = e
	}
	want := rowsByKey(t, s, r)[diffuse].Values
	require.Equal(t, 0.75, want[1])
	require.Equal(t, want, rowsByKey(t, writeBack(t, s, r), request())[diffuse].Values)
}

// What the file does not say of a draw is shown as it is in effect, whatever sets it.
func TestValuesInEffect(t *testing.T) {
	path := written(t, styled)
	for _, name := range []string{"a.png", "b.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), name), grey(t, 60), 0o644))
	}
	for _, c := range []struct {
		file, draw string
		want       map[string]string
	}{
		{path, "b", map[string]string{"draw:cull": "back", "draw:depth.func": "less", "draw:depth.write": "true", "draw:blend.src": "one", "draw:write": "rgba", "draw:lit": "false",
			"draw:material": "true", "draw:flat": "false", "draw:stencil.func": "off", "draw:logic": "off", "draw:textures.0": "none"}},
		{"../../testdata/scenes/arm.gltf", "", map[string]string{"draw:lit": "true", "draw:cull": "back"}},
		{"../../testdata/models/shapes.cgfx", "", map[string]string{"draw:cull": "none"}},
	} {
		s := open(t, c.file)
		r := request()
		r.Target = c.draw
		rows := rowsByKey(t, s, r)
		for key, want := range c.want {
			require.Equal(t, want, rows[key].Text, key)
			require.True(t, rows[key].Unsaid, key)
		}
		e := Edit{Name: "draw:cull", Draw: c.draw, Values: []any{"front"}}
		r.Edits[e.Key()] = e
		rows = rowsByKey(t, s, r)
		require.False(t, rows["draw:cull"].Unsaid)
		require.Equal(t, "front", rows["draw:cull"].Text)
		require.False(t, rows["draw:depth.func"].Changed)
	}
}

// Binaries of public homebrew draw something, and guesses are listed as warnings.
func TestPublicShaderBinariesShow(t *testing.T) {
	for _, path := range testkit.Corpus(t, "shbin/*.shbin") {
		s := open(t, path)
		p := render(t, s, &Request{Draw: -1})
		s.Close()
		first, differs := p.Image.At(0, 0), 0
		for y := p.Image.Bounds().Min.Y; y < p.Image.Bounds().Max.Y; y += 4 {
			for x := p.Image.Bounds().Min.X; x < p.Image.Bounds().Max.X; x += 4 {
				if p.Image.At(x, y) != first {
					differs++
				}
			}
		}
		require.Greater(t, differs, 100, path)
		require.NotEmpty(t, p.Warnings, path)
		require.Contains(t, p.Warnings[0], "taken to be, since nothing else is said", path)
	}
}

// A shader that draws nothing gives the reason.
func TestShaderWithoutPositionWarns(t *testing.T) {
	s := open(t, "../../scene/scenebuild/testdata/shaders/no-position.v.pica")
	p := render(t, s, &Request{Draw: -1})
	require.Contains(t, p.Warnings, "program main: the program writes no position")
}

// Stored results for every kind of source and many requests: pictures with their data, draw lists, and explained pixels.
func TestSourceChecksums(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the camera's place has other last digits where products and sums are fused")
	}
	sum := func(v any) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(testkit.Dump(v)))) }
	var b strings.Builder
	for _, c := range []struct {
		path     string
		requests []Request
	}{
		{window, []Request{{Draw: -1}, {Draw: 0, Rows: true}, {Draw: 1, Time: 3, Target: "floor", Rows: true}, {Draw: -1, Alpha: true, Target: "knot", Rows: true}, {Draw: 99}, {Draw: -1, View: ViewStencil}, {Draw: -1, View: fragment.ViewDepth, Depth: DepthRange{Auto: true}},
			{Draw: -1, View: fragment.ViewDepth, Depth: DepthRange{From: 0.9, To: 0.1}}, {Draw: -1, Orbit: Orbit{Yaw: 0.5, Pitch: 0.25, Zoom: 0.5, Pan: mgl64.Vec2{0.1, -0.2}}}, {Draw: -1, Orbit: Orbit{Pitch: 9, Zoom: -3}}, {Draw: -1, Screens: BothScreens},
			{Draw: -1, Edits: edits(Edit{Name: "dmp_FragmentMaterial.diffuse", Values: []any{0.1, 0.2, 0.9, 1.0}})}, {Draw: -1, Edits: edits(Edit{Name: "dmp_FragmentMaterial.diffuse", Draw: "knot", Values: []any{0.1, 0.2, 0.9, 1.0}}), Rows: true}, {Draw: -1, Edits: edits(Edit{Name: "no such", Values: []any{1.0}})}}},
		{"../../testdata/traces/lights.ctf", []Request{{Draw: -1}, {Draw: 0}, {Draw: 1, Rows: true}, {Draw: 2, Alpha: true}, {Draw: -1, Frame: 1, Screens: BothScreens}, {Draw: -1, Screens: SideBySide}, {Draw: -1, Screens: Anaglyph}, {Draw: -1, View: ViewStencil}, {Draw: 1, View: fragment.ViewDepth, Depth: DepthRange{Auto: true}}, {Draw: -1, Frame: 99}}},
		{"../../testdata/models/more.cgfx", []Request{{Draw: -1, Time: 1}, {Draw: 2, Time: 0.5, Rows: true}}},
		{"../../testdata/golden/mirror.case.yaml", []Request{{Draw: -1}, {Draw: -1, Golden: GoldenRequest{Show: GoldenExpected}}, {Draw: -1, Golden: GoldenRequest{Show: GoldenActual, Image: 1}}, {Draw: -1, Golden: GoldenRequest{Show: GoldenDifference}}}},
	} {
		s, err := Open(c.path, Options{})
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", c.path, err)
			continue
		}
		t.Cleanup(s.Close)
		info := s.Info()
		info.Path, info.Files = "", nil
		fmt.Fprintf(&b, "%s: %+v\n", c.path, info)
		for i := range c.requests {
			r := &c.requests[i]
			if r.Edits == nil {
				r.Edits = map[string]Edit{}
			}
			p, err := s.Render(t.Context(), r)
			if err != nil {
				fmt.Fprintf(&b, "  %d: %v\n", i, err)
				continue
			}
			fmt.Fprintf(&b, "  %d: %v %s, raw %s, target %v %v %v %v, draws %d of %d, added %s, shown %s, %q, places %s, %q, note %q, warnings %q, %.4g %.4g, depths %.5g, rows %d %s, golden %s, use %s\n", i, p.Image.Rect, sum(p.Image), sum(p.Raw), p.Target,
				p.orientation, p.size, p.parts, p.draws, p.Frame, sum(p.Added), sum(p.shown), p.drawNames, sum(p.Locations), p.Names, p.Note, p.Warnings, p.Distance, p.Slope, p.DepthRange, len(p.Rows), sum(p.Rows), sum(p.Golden), sum(p.Use))
			if i > 1 {
				continue
			}
			list := drawsOf(t, s, r)
			fmt.Fprintf(&b, "    list of %d: %s\n", len(list), sum(list))
			for _, at := range [][2]int{{p.Image.Rect.Dx() / 2, p.Image.Rect.Dy() / 2}, {0, 0}, {-1, 5}, {p.Image.Rect.Dx(), 0}} {
				e, err := s.ExplainPixel(t.Context(), p, at[0], at[1])
				fmt.Fprintf(&b, "    at %v: %v %v\n", at, e != nil, err)
			}
		}
		fmt.Fprintf(&b, "  warnings %q\n", s.Warnings())
		s.Close()
	}
	testkit.Golden(t, "testdata/shown.txt", []byte(b.String()))
}
