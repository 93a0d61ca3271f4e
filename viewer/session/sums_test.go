package session

import (
	"fmt"
	"hash/crc32"
	"runtime"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/fragment"
	"pica200/tests/testkit"
)

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
