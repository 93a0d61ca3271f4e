package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/pica"
	"pica200/tests/testkit"
)

// A view without content gives a reason, derived from the state of the draws.
func TestEmptyViewReasons(t *testing.T) {
	plain := func() *pica.Regs {
		r := &pica.Regs{}
		for i := range pica.NumTexenvs {
			at := pica.TexenvOffset(i)
			pica.TexenvRgbSource0.At(at).Set(r, uint32(pica.SourcePrevious))
			pica.TexenvAlphaSource0.At(at).Set(r, uint32(pica.SourcePrevious))
		}
		return r
	}
	all := []fragment.View{fragment.ViewFinal, fragment.ViewTexture0, fragment.ViewTexture1, fragment.ViewTexture2, fragment.ViewTexture3, fragment.ViewLightPrimary, fragment.ViewLightSecondary, fragment.ViewNormal,
		fragment.ViewStage0, fragment.ViewStage0 + 1, fragment.ViewStage5, ViewStencil, fragment.ViewDepth, fragment.ViewVertexColor}
	missing := func(list ...*pica.Regs) (out []string) {
		var u ViewUse
		for _, r := range list {
			u.add(r)
		}
		for _, v := range all {
			out = append(out, u.Missing(v))
		}
		return out
	}
	require.Equal(t, make([]string, len(all)), missing(), "without draws no reason is given")
	nothing := []string{"", "no texture", "no texture", "no texture", "not procedural", "not lit", "not lit", "not lit", "passes on", "as stage0", "as stage4", "no stencil test", "", ""}
	require.Equal(t, nothing, missing(plain()))
	for _, c := range []struct {
		set  func(r *pica.Regs)
		here []int // views with content
	}{
		{func(r *pica.Regs) { pica.TexunitEnable0.SetBool(r, true) }, []int{1}}, {func(r *pica.Regs) { pica.TexunitEnable1.SetBool(r, true) }, []int{2}},
		{func(r *pica.Regs) { pica.TexunitEnable2.SetBool(r, true) }, []int{3}}, {func(r *pica.Regs) { pica.TexunitEnable3.SetBool(r, true) }, []int{4}},
		{func(r *pica.Regs) { pica.LightingEnable.SetBool(r, true) }, []int{5, 6, 7}}, {func(r *pica.Regs) { pica.StencilTestEnable.SetBool(r, true) }, []int{11}},
		{func(r *pica.Regs) { pica.TexenvRgbCombine.Set(r, 1) }, []int{8}}, {func(r *pica.Regs) { pica.TexenvAlphaCombine.Set(r, 1) }, []int{8}}, {func(r *pica.Regs) { pica.TexenvRgbScale.Set(r, 1) }, []int{8}}, {func(r *pica.Regs) { pica.TexenvAlphaScale.Set(r, 2) }, []int{8}},
		{func(r *pica.Regs) { pica.TexenvRgbOperand0.Set(r, 1) }, []int{8}}, {func(r *pica.Regs) { pica.TexenvAlphaOperand0.Set(r, 1) }, []int{8}},
		{func(r *pica.Regs) { pica.TexenvRgbSource0.At(pica.TexenvOffset(1)).Set(r, 0) }, []int{9}}, {func(r *pica.Regs) { pica.TexenvAlphaSource0.At(pica.TexenvOffset(5)).Set(r, 3) }, []int{10}},
	} {
		r := plain()
		c.set(r)
		want := append([]string{}, nothing...)
		for _, i := range c.here {
			want[i] = ""
		}
		require.Equal(t, want, missing(r))
		require.Equal(t, want, missing(plain(), r, plain()), "one draw with contents suffices")
	}
}

// ErrorLocation finds the file position in an error text; Location.Find finds the line of main in a shader.
func TestErrorPlaces(t *testing.T) {
	for text, want := range map[string]Location{
		"a.yaml:12: bad": {What: "error", Path: "a.yaml", Line: 12}, "first\n  b/c.pica:3:9: what: x:1: y": {What: "error", Path: "b/c.pica", Line: 3}, `C:\x y.yaml:7: z`: {What: "error", Path: `C:\x y.yaml`, Line: 7},
		"a:5:6:7: x": {What: "error", Path: "a:5", Line: 6}, "a.yaml:12 bad": {}, "a.yaml: bad": {}, ":3: bad": {}, "a:99999999999999999999: bad\nb:2: x": {What: "error", Path: "b", Line: 2}, "": {},
	} {
		got, ok := ErrorLocation(text)
		require.Equal(t, want, got, "%q", text)
		require.Equal(t, want != Location{}, ok, "%q", text)
	}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text string
		want int
	}{"proc": {"; .proc main\n.in a\n\t.proc  main\n.proc main\n", 3}, "label": {"x\nmain :\n", 2}, "first": {"main:", 1}, "none": {".proc mainly\nxmain:\n", 1}} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		require.Equal(t, c.want, Location{Path: path}.Find(), name)
		require.Equal(t, 9, Location{Path: path, Line: 9}.Find())
	}
	require.Equal(t, 1, Location{Path: filepath.Join(dir, "gone")}.Find())
	require.Equal(t, filepath.Join("d", "x", "y"), inFolder("d", "x/y"))
	require.Equal(t, dir, inFolder("d", dir))
}

// What golden cases and screens show wraps around when cycled.
func TestModesCycle(t *testing.T) {
	rounds := map[string]func() int{
		"golden": func() int {
			n := 1
			for s := GoldenShow(0).Next(); s != 0; s = s.Next() {
				n++
			}
			return n
		},
		"screens": func() int {
			n, list := 1, []Screens{NoScreens, BothScreens, SideBySide, Anaglyph, RightEye}
			for s := Screens(0).Next(list); s != 0; s = s.Next(list) {
				n++
			}
			return n
		},
	}
	require.Equal(t, "4 5", fmt.Sprint(rounds["golden"](), " ", rounds["screens"]()))
}

// A file that cannot be read is opened for correction: it shows the error and no picture. Once read, its last good content stays,
// even if it breaks again.
func TestOpenBrokenFile(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	const good = "models: {q: {shape: quad}}\ndraws: [{model: q}]\n"
	path := filepath.Join(dir, "s.yaml")
	write := func(path, text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o666)) }
	write(path, "draws: [{}]\n")
	_, err := Open(path, Options{})
	require.Error(t, err)
	s := testkit.Must(OpenForRepair(path, Options{}))(t)
	defer func() { s.Close() }()
	require.ErrorContains(t, Unread(s), "s.yaml:1:")
	r := &Request{Draw: -1, Orbit: Orbit{}}
	unread := func() {
		t.Helper()
		_, err := s.Render(ctx, r)
		require.ErrorContains(t, err, "s.yaml:1:")
		require.Equal(t, "s.yaml", s.Info().Name)
		require.Equal(t, path, s.Info().Path)
		require.Contains(t, s.Info().Files, path)
		require.Nil(t, s.Warnings())
		_, err = s.ExplainPixel(ctx, nil, 0, 0)
		require.ErrorIs(t, err, errUnread)
		_, err = s.List(ctx, r)
		require.ErrorIs(t, err, errUnread)
		_, err = s.(Writer).SaveAs(ctx, r, filepath.Join(dir, "y.yaml"), false)
		require.ErrorIs(t, err, errUnread)
		_, err = s.(*sceneSource).WriteBack(ctx, r)
		require.ErrorIs(t, err, errUnread)
		require.ErrorIs(t, s.(*sceneSource).CopyTo(ctx, r, filepath.Join(dir, "x.yaml")), errUnread)
	}
	unread()
	require.Error(t, s.Reload())
	unread()
	write(path, good)
	require.NoError(t, s.Reload())
	require.NoError(t, Unread(s))
	p := testkit.Must(s.Render(ctx, r))(t)
	require.NotNil(t, p)
	list := drawsOf(t, s, r)
	require.Len(t, list, 1)
	require.NotEqual(t, Info{Name: "s.yaml", Path: path, Files: s.Info().Files}, s.Info())
	require.NoError(t, s.(*sceneSource).CopyTo(ctx, r, filepath.Join(dir, "x.yaml")))
	require.FileExists(t, filepath.Join(dir, "x.yaml"))
	write(path, "draws: [{}]\n")
	require.Error(t, s.Reload())
	require.NoError(t, Unread(s), "once read, it stays readable")
	testkit.Must(s.Render(ctx, r))(t)

	for name, opens := range map[string]bool{"a.v.pica": true, "a.glb": true, "a.yaml": true, "a.case.yaml": false, "a.txt": false, "a.ctf": false} {
		path := filepath.Join(dir, name)
		write(path, "what is this\n")
		s, err := OpenForRepair(path, Options{})
		require.Equal(t, opens, err == nil, "%s: %v", name, err)
		require.Equal(t, opens, s != nil, name)
		require.Equal(t, opens, s != nil && Unread(s) != nil, name)
	}
	// A golden case whose recording is damaged.
	write(filepath.Join(dir, "shadow.ctf"), string(testkit.Read(t, "../../testdata/traces/shadow.ctf")[:100]))
	write(filepath.Join(dir, "shadow.case.yaml"), string(testkit.Read(t, "../../testdata/traces/shadow.case.yaml")))
	c := testkit.Must(Open(filepath.Join(dir, "shadow.case.yaml"), Options{}))(t)
	require.Contains(t, c.Info().Files, filepath.Join(dir, "shadow.ctf"))
	_, err = c.List(ctx, r)
	require.Error(t, err)
	c.Close()
	_, err = OpenForRepair(filepath.Join(dir, "gone.yaml"), Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d.yaml"), 0o777))
	_, err = OpenForRepair(filepath.Join(dir, "d.yaml"), Options{})
	require.Error(t, err)
	write(path, good)
	s = testkit.Must(OpenForRepair(path, Options{}))(t)
	require.NoError(t, Unread(s))
}

// The state of a recording's draw: the selected one, the last by default, or an error for a frame without draws.
func TestDrawStateOfRecording(t *testing.T) {
	s := open(t, "../../testdata/traces/lights.ctf")
	stater := s.(Stater)
	numbers := map[int]int{}
	for _, draw := range []int{-1, 0, 1, 9999} {
		st := testkit.Must(stater.State(t.Context(), &Request{Draw: draw}))(t)
		require.Nil(t, st.Target)
		run := testkit.Must(stater.Run(t.Context(), st, false, st.Vertices.Count-1))(t)
		require.Len(t, run.Steps, run.Total)
		_, err := stater.Run(t.Context(), st, true, 0)
		require.ErrorContains(t, err, "no geometry shader runs")
		numbers[draw] = st.Input.Draw
	}
	require.Equal(t, 0, numbers[0])
	require.Equal(t, 1, numbers[1])
	require.Equal(t, numbers[-1], numbers[9999], "a number beyond the end selects the last draw")
	require.Greater(t, numbers[-1], 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := stater.State(ctx, &Request{Draw: 0, Frame: 1})
	require.ErrorIs(t, err, context.Canceled)
}
