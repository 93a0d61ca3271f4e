package drawstate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain"
	"pica200/explain/rows"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

var errFull = errors.New("the disk is full")

func open(t *testing.T, name string) *pipeline.Replayer {
	t.Helper()
	trace := states.Parse(t, testkit.Named(t, name)[0].Read(t))
	r := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{}))(t)
	t.Cleanup(r.GPU.Close)
	return r
}

// take is the state at a draw.
func take(t *testing.T, r *pipeline.Replayer, frame, draw int) *State {
	t.Helper()
	s := testkit.Must(Take(t.Context(), r, frame, draw))(t)
	return s
}

// Take returns the state of the GPU at the draw, the draw before it (also in the previous frame), and the target after it.
func TestTakeDrawState(t *testing.T) {
	r := open(t, "lights")
	for _, c := range []struct{ frame, draw, beforeFrame, beforeDraw int }{{0, 0, -1, -1}, {0, 1, 0, 0}, {0, 2, 0, 1}, {1, 0, 0, 2}, {1, 2, 1, 1}} {
		s := take(t, r, c.frame, c.draw)
		require.Equal(t, [2]int{c.frame, c.draw}, [2]int{s.Input.Frame, s.Input.Draw})
		require.Equal(t, [2]int{c.frame, c.draw}, [2]int{s.Record.Frame, s.Record.Draw})
		require.Empty(t, s.Notes)
		if c.beforeFrame < 0 {
			require.Nil(t, s.Before)
		} else {
			require.NotNil(t, s.Before)
			require.Equal(t, [2]int{c.beforeFrame, c.beforeDraw}, [2]int{s.Before.Frame, s.Before.Draw})
			before := take(t, r, c.beforeFrame, c.beforeDraw)
			require.Empty(t, Changes(&before.Input, s.Before), "the previous draw's state equals that taken alone")
			require.NotEmpty(t, Changes(s.Before, &s.Input))
			s = take(t, r, c.frame, c.draw)
		}
		taken := testkit.Must(pipeline.ColorImage(s.Target))(t)
		got := bytes.Clone(taken.Pix)
		require.NoError(t, r.Seek(t.Context(), pipeline.Position{Frame: c.frame, Draw: c.draw}))
		target := testkit.Must(r.GPU.LastTarget())(t)
		want := testkit.Must(pipeline.ColorImage(target))(t)
		require.True(t, bytes.Equal(want.Pix, got))

		columns, rows, err := s.Outputs(t.Context())
		require.NoError(t, err)
		require.Equal(t, s.Vertices.Count, len(rows))
		require.Contains(t, strings.Join(columns, " "), pica.SemPositionX.String())
		for _, row := range rows {
			require.Len(t, row, len(columns))
		}
	}
	_, err := Take(t.Context(), r, 0, 3)
	require.ErrorContains(t, err, "there is no draw 3")
	_, err = Take(t.Context(), r, 0, -1)
	require.ErrorContains(t, err, "draws count from 0")
}

// The draw before the first draw of a frame is the last draw of the previous frame.
func TestTakeAcrossFrames(t *testing.T) {
	r := open(t, "arcs")
	first := take(t, r, 1, 0)
	before := take(t, r, 0, 1)
	last := take(t, r, 1, 1)
	require.NotEmpty(t, Changes(&before.Input, &last.Input), "the frames must differ in their last draw")
	require.Empty(t, Changes(&before.Input, first.Before))
}

// Changes lists every kind of state with its old and new value; data registers (FIFOs) are left out.
func TestStateChanges(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 1)
	require.Empty(t, Changes(&s.Input, &s.Input))
	change := func(f func(g *Input)) []rows.Row {
		g := s.Input
		f(&g)
		return Changes(&s.Input, &g)
	}
	list := change(func(g *Input) { pica.FacecullingMode.Set(&g.Regs, pica.FacecullingMode.Get(&g.Regs)^1) })
	require.Len(t, list, 1)
	require.Equal(t, pica.FacecullingMode.Reg.String(), list[0].Get("what"))
	require.NotEqual(t, list[0].Get("before"), list[0].Get("after"))
	require.Len(t, list[0].Rows, 1)
	require.Equal(t, pica.FacecullingMode.Name, list[0].Rows[0].Get("what"))

	for what, f := range map[string]func(g *Input){
		"fixed attribute 3":             func(g *Input) { g.Fixed[3][2]++ },
		"vertex shader: c95":            func(g *Input) { g.Vertex.Float[95][0]++ },
		"vertex shader: i2":             func(g *Input) { g.Vertex.Int[2][1]++ },
		"vertex shader: b15":            func(g *Input) { g.Vertex.Bool ^= 1 << 15 },
		"fog table":                     func(g *Input) { g.Tables.Fog[127] ^= 1 },
		"gas table":                     func(g *Input) { g.Tables.Gas[15] ^= 1 },
		"procedural texture, alpha map": func(g *Input) { g.Tables.ProcAlphaMap[0] ^= 1 },
	} {
		list := change(f)
		require.Len(t, list, 1, what)
		require.Equal(t, what, list[0].Get("what"))
	}
	require.Empty(t, change(func(g *Input) { g.Geometry.Float[0][0]++ }), "without a geometry shader its uniforms are no change")
	require.Empty(t, change(func(g *Input) { g.Regs[pica.RegFogLutData0]++ }), "data registers are no change")
}

// Files writes the announced files, complete and equal on each call; an error of the writer stops it.
func TestStateFiles(t *testing.T) {
	r := open(t, "arcs")
	files := func() map[string]string {
		s := take(t, r, 1, 1)
		got := map[string]string{}
		require.NoError(t, s.Files(t.Context(), func(name string, data []byte) error {
			require.NotContains(t, got, name)
			got[name] = string(data)
			return nil
		}))
		require.Equal(t, s.Vertices.Count+1, strings.Count(got["inputs.csv"], "\n"))
		require.Equal(t, s.Vertices.Count+1, strings.Count(got["outputs.csv"], "\n"))
		require.GreaterOrEqual(t, s.Record.GeometryEntry, 0, "the trace arcs uses a geometry shader")
		return got
	}
	got := files()
	for _, name := range []string{"vertex.pica", "geometry.pica", "draw.txt", "draw.json", "inputs.csv", "outputs.csv", "color.png", "depth.png"} {
		require.Contains(t, got, name)
	}
	require.Contains(t, got["draw.txt"], "frame 1, draw 1:")
	require.True(t, json.Valid([]byte(got["draw.json"])))
	for name, data := range got {
		if strings.HasSuffix(name, ".png") {
			testkit.Must(png.Decode(strings.NewReader(data)))(t, name)
		}
	}
	require.Equal(t, got, files())

	s := take(t, r, 1, 1)
	require.ErrorIs(t, s.Files(t.Context(), func(name string, _ []byte) error {
		if name == "color.png" {
			return errFull
		}
		return nil
	}), errFull)
}

// draws.txt has the texts of one draw in full, and checksums of the texts and files of other draws and of random states.
func TestDrawTextsAndFiles(t *testing.T) {
	const path = "testdata/draws.txt"
	var all bytes.Buffer
	of := func(name string, r *pipeline.Replayer, frame, n int, full bool) {
		s, err := Take(t.Context(), r, frame, n)
		var none *pipeline.NoDrawError
		if err != nil {
			require.ErrorAs(t, err, &none)
			return
		}
		var text bytes.Buffer
		s.WriteText(&text)
		data := testkit.Must(json.Marshal(s.JSON()))(t)
		fmt.Fprintf(&all, "== %s\n", name)
		if full {
			all.Write(text.Bytes())
		}
		fmt.Fprintf(&all, "text %08x\nJSON %08x\n", crc32.ChecksumIEEE(text.Bytes()), crc32.ChecksumIEEE(data))
		var files []string // in any order
		require.NoError(t, s.Files(t.Context(), func(name string, data []byte) error {
			if img, err := png.Decode(bytes.NewReader(data)); err == nil { // compares pixels, not the PNG encoding
				pixels := image.NewNRGBA(img.Bounds())
				draw.Draw(pixels, pixels.Rect, img, image.Point{}, draw.Src)
				data = pixels.Pix
			}
			files = append(files, fmt.Sprintf("%s %08x\n", name, crc32.ChecksumIEEE(data)))
			return nil
		}))
		slices.Sort(files)
		all.WriteString(strings.Join(files, ""))
	}
	for _, name := range []string{"lights", "shadow", "gas"} {
		r := open(t, name)
		of(name, r, 0, 1, name == "lights")
		of(name, r, r.Frames()-1, 0, false)
		r.GPU.Close()
	}
	for seed := range uint64(12) {
		trace := states.Parse(t, states.Make(seed))
		r := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{Options: pipeline.Options{FCRAM: states.FCRAM}}))(t)
		for frame := range min(2, trace.Frames()) {
			for draw := range 2 {
				of(fmt.Sprintf("state %d, frame %d, draw %d", seed, frame, draw), r, frame, draw, false)
			}
		}
		r.GPU.Close()
	}
	if testkit.Updating() {
		require.NoError(t, os.WriteFile(path, all.Bytes(), 0o644))
		return
	}
	require.Equal(t, strings.Split(string(testkit.Read(t, path)), "\n"), strings.Split(all.String(), "\n"))
}

func TestTextureNames(t *testing.T) {
	for want, at := range map[string]Texture{"texture0": {}, "texture2-level3": {Unit: 2, Level: 3}, "texture0-face1": {Face: 1}, "texture0-face5-level1": {Face: 5, Level: 1}} {
		require.Equal(t, want, at.Name())
	}
	s := take(t, open(t, "lights"), 0, 2)
	require.Len(t, s.Textures, 1)
	require.Equal(t, "texture0", s.Textures[0].Name())
	require.Equal(t, 32, s.Textures[0].Image.Bounds().Dx())
}

// The vertex shader's outputs are those of its mask, named by the entries of the output map in order. With a geometry shader, all
// are listed.
func TestOutputsFollowOutputMap(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 0)
	r := &s.Input.Regs
	pica.ShOutmapMask.At(pica.OffsetVsh).Set(r, 1<<0|1<<2)
	r[pica.RegShOutmapO0], r[pica.RegShOutmapO0+1] = 0x03020100, 0x1F1F0D0C
	position := []string{"o0.x " + pica.Semantic(0).String(), "o0.y " + pica.Semantic(1).String(), "o0.z " + pica.Semantic(2).String(), "o0.w " + pica.Semantic(3).String()}
	all := s.Vertices.Count
	columns, rows, err := s.Outputs(t.Context())
	require.NoError(t, err)
	require.Equal(t, append(position[:4:4], "o2.x "+pica.Semantic(12).String(), "o2.y "+pica.Semantic(13).String()), columns)
	require.Len(t, rows, all)
	it := shaderunit.Interpreter{}
	for reg, in := range s.Vertices.Inputs {
		if in != nil {
			it.In[reg] = in[1]
		}
	}
	setup := s.Input.Vertex
	require.NoError(t, it.Run(&setup))
	out := it.Out()
	require.Equal(t, []float32{out[0][0], out[0][1], out[0][2], out[0][3], out[2][0], out[2][1]}, rows[1])
	for _, c := range [][4]int{{0, 2, 0, 2}, {all - 1, 5, all - 1, 1}, {all, 1, 0, 0}, {-3, 1, 0, 1}, {1, -1, 0, 0}, {1, math.MaxInt, 1, all - 1}} {
		_, part, err := s.OutputsOf(t.Context(), c[0], c[1])
		require.NoError(t, err)
		require.Len(t, part, c[3], "%v", c)
		if c[3] > 0 {
			require.Equal(t, rows[c[2]], part[0], "%v", c)
		}
	}
	pica.GeostageMode.Set(r, uint32(pica.GeoStageOn))
	columns, _, err = s.Outputs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"o0.x", "o0.y", "o0.z", "o0.w", "o2.x", "o2.y", "o2.z", "o2.w"}, columns)
	pica.GeostageMode.Set(r, uint32(pica.GeoStageOff))
	pica.ShOutmapMask.At(pica.OffsetVsh).Set(r, 0x1FF)
	for i := range pica.Reg(7) {
		r[pica.RegShOutmapO0+i] = 0x1F1F1F1F
	}
	columns, _, err = s.Outputs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"o7.x", "o7.y", "o7.z", "o7.w", "o8.x", "o8.y", "o8.z", "o8.w"}, columns, "outputs after the map's seven entries keep register names")
	s.Vertices = nil
	_, _, err = s.Outputs(t.Context())
	require.ErrorContains(t, err, "could not be read")
}

func TestMatrixKinds(t *testing.T) {
	identity := [][4]float32{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	last := func(v ...float32) [][4]float32 { return append(identity[:3:3], [4]float32(v)) }
	for _, c := range []struct {
		rows [][4]float32
		want string
	}{
		{identity, "identity"}, {identity[:3], ""}, {append(identity[:2:2], [4]float32{0, 0, 2, 0}, identity[3]), "affine"},
		{append([][4]float32{{1, 0, 0, 5}}, identity[1:]...), "affine"}, {append([][4]float32{identity[0], {0, 1, 1, 0}}, identity[2:]...), "affine"},
		{last(0, 0, -1, 0), "perspective"}, {last(0, 0, 1, 0), "perspective"}, {last(1, 0, -1, 0), ""}, {last(0, 1, -1, 0), ""},
		{last(0, 0, 2, 0), ""}, {last(0, 0, -1, 1), ""}, {last(0, 0, 0, 2), ""},
	} {
		require.Equal(t, c.want, kindOf(c.rows), "%v", c.rows)
	}
}

// UniformsOf lists the uniforms that set bits of the field, not those of neighbouring fields in the register.
func TestUniformsOfExcludesNeighbourFields(t *testing.T) {
	for _, f := range []pica.Field{pica.TexenvRgbSource0, pica.ColorMaskR, pica.ColorMaskB, pica.DepthTestFunc, pica.StencilTestRef} {
		names := UniformsOf(f)
		for _, u := range setters[f.Reg] {
			has := false
			for bit := range uint32(32) {
				mine := bit >= uint32(f.Lo) && bit < uint32(f.Lo)+uint32(f.Bits)
				for _, g := range u.Fields {
					has = has || mine && g.Reg == f.Reg && bit >= uint32(g.Lo) && bit < uint32(g.Lo)+uint32(g.Bits)
				}
			}
			require.Equal(t, has, slices.Contains(names, u.Name), "%s of %s", u.Name, f.Name)
		}
	}
	require.False(t, IsState(pica.NumRegs))
	require.False(t, IsState(pica.RegFogLutData0))
	require.True(t, IsState(pica.FacecullingMode.Reg))
}

// Enabled lights, fog and tables have a row in the summary; disabled ones have none.
func TestSummaryOfLightFogAndTables(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 0)
	row := func(name string) string {
		for _, r := range s.Summary() {
			if r.Name() == name {
				return r.Text()
			}
		}
		return ""
	}
	r := &s.Input.Regs
	for mode, want := range map[pica.FogMode]string{pica.FogModeFog: "fog", pica.FogModeGas: "gas", pica.FogModeFog - 1: ""} {
		pica.TexenvUpdateFogMode.Set(r, uint32(mode))
		require.Equal(t, want, row("then"), "%d", mode)
	}
	pica.LightingEnable.SetBool(r, true)
	for _, shadow := range []bool{false, true} {
		for _, bump := range []pica.BumpMode{pica.BumpNone, pica.BumpNone + 1} {
			pica.LightingShadowEnable.SetBool(r, shadow)
			pica.LightingShadowTexture.Set(r, 2)
			pica.LightingBumpMode.Set(r, uint32(bump))
			pica.LightingBumpTexture.Set(r, 1)
			text := row("lighting")
			require.NotEmpty(t, text)
			if shadow {
				require.Contains(t, text, ", shadow in texture 2")
			} else {
				require.NotContains(t, text, "shadow")
			}
			if bump != pica.BumpNone {
				require.Contains(t, text, fmt.Sprintf(", %v map in texture 1", bump))
			} else {
				require.NotContains(t, text, "map in")
			}
		}
	}
}

// Tables with entries that are not 0 are listed with the number of such entries.
func TestTablesInText(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 0)
	s.Input.Tables.Fog, s.Input.Tables.Gas = [128]uint32{3: 1, 9: 2}, [16]uint32{}
	var b strings.Builder
	s.WriteText(&b)
	require.Contains(t, b.String(), "  fog table: 2 entries that are not 0\n")
	require.NotContains(t, b.String(), "gas table:")
}

// The text of a shader lists uniforms that are not 0, and an error if its program cannot be disassembled.
func TestShadersInText(t *testing.T) {
	s := &shaderunit.Setup{Entry: 0x12, Bool: 0x8001}
	s.Float[0], s.Float[95] = [4]float32{1, -0.5, float32(math.Inf(1)), 0}, [4]float32{3: 2}
	s.Int[3] = [4]uint8{1, 2, 3, 4}
	var b strings.Builder
	writeShader(&b, "Vertex shader", s, false)
	for _, line := range []string{"\nVertex shader, entry 0x012\n", "\n  c0 = ", "\n  c95 = ", "\n  i3 = 1, 2, 3, 4\n", "\n  b = 0x8001\n"} {
		require.Contains(t, b.String(), line)
	}
	for _, line := range []string{"c1 =", "c94 =", "i0 =", "i2 ="} {
		require.NotContains(t, b.String(), line)
	}
	b.Reset()
	writeShader(&b, "Vertex shader", &shaderunit.Setup{}, false)
	require.NotContains(t, b.String(), " = ")

	require.Equal(t, []any{float32(1.5), float32(0), "+Inf", "-Inf", "NaN"}, []any{number(1.5), number(0), number(float32(math.Inf(1))), number(float32(math.Inf(-1))), number(float32(math.NaN()))})
}

// Source ends at the last word that is not 0, and includes at least the entry point.
func TestSourceEndsAtLastWord(t *testing.T) {
	lines := func(entry uint16, at ...int) int {
		s := &shaderunit.Setup{Entry: entry}
		for _, pc := range at {
			s.SetCode(pc, 0x84000000) // nop
		}
		text := testkit.Must(Source(s, false))(t)
		return strings.Count(text, "\tnop") + strings.Count(text, "\t.word")
	}
	for want, got := range map[int]int{1: lines(0), 4: lines(3), 6: lines(2, 1, 5), 3: lines(2, 0), 7: lines(0, 6)} {
		require.Equal(t, want, got)
	}
}

// A changed program shows the number of differing words and descriptors.
func TestProgramChanges(t *testing.T) {
	of := func(words, descs int) string {
		var a, b shaderunit.Setup
		for i := range words {
			b.SetCode(3*i, 7)
		}
		for i := range descs {
			b.SetDesc(5*i, 9)
		}
		c := changes{}
		c.setup("vertex shader", &a, &b)
		text := ""
		for _, r := range c {
			text += r.Text() + "\n"
		}
		return text
	}
	require.Empty(t, of(0, 0))
	for _, n := range [][2]int{{1, 1}, {4, 4}, {2, 0}, {0, 2}, {1, 3}} {
		require.Contains(t, of(n[0], n[1]), fmt.Sprintf("%d instructions, %d operand descriptors", n[0], n[1]))
	}
}

// The text of a draw has its summary, notes and uniforms; the first draw says that no draw precedes it.
func TestDrawText(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 0)
	s.Notes = []string{"one thing", "another"}
	var b strings.Builder
	s.WriteText(&b)
	require.Contains(t, b.String(), "\n  note: one thing\n  note: another\n\nThere is no draw before it.\n")
	var summary strings.Builder
	rows.WriteText(&summary, slices.DeleteFunc(s.Summary(), func(r rows.Row) bool { return r.Label == "draws" }), 1)
	require.NotEmpty(t, summary.String())
	require.Contains(t, b.String(), "\n"+summary.String()+"  note")
	first := s.JSON().(map[string]any)
	require.NotContains(t, first, "since")
	require.NotContains(t, first, "changes")

	for _, on := range []bool{false, true} {
		pica.AlphaTestEnable.SetBool(&s.Input.Regs, on)
		require.Equal(t, on, slices.ContainsFunc(s.Input.Uniforms(), func(u Uniform) bool { return u.String() == "dmp_FragOperation.enableAlphaTest = true" }), "%v", s.Input.Uniforms())
	}
	require.Less(t, len(s.Input.Uniforms()), len(dmp.Uniforms)/2, "default uniforms are left out")
}

// A cube map has six faces, which share the upper address bits of the first.
func TestCubeMapFaces(t *testing.T) {
	g := pipeline.New(pipeline.Options{})
	defer g.Close()
	s := &State{}
	r := &s.Input.Regs
	pica.TexunitEnable0.SetBool(r, true)
	pica.TexunitType.Set(r, uint32(pica.TextureCube))
	pica.TexunitWidth.Set(r, 8)
	pica.TexunitHeight.Set(r, 8)
	pica.TexunitFormat(0).Set(r, uint32(pica.TextureFormatI8))
	for face := range 6 {
		addr := uint32(pica.VRAMBase + 0x1000 + 0x90000*(5-face))
		require.NoError(t, g.Load(t.Context(), addr, bytes.Repeat([]byte{byte(40 + face)}, 64)))
		if face == 0 {
			pica.TexunitAddr.Set(r, addr>>3)
		} else {
			pica.TexunitAddrFace.At(pica.Reg(face-1)).Set(r, addr>>3)
		}
	}
	s.takeTextures(g)
	require.Empty(t, s.Notes)
	require.Len(t, s.Textures, 6)
	for face, one := range s.Textures {
		require.Equal(t, [3]int{0, face, 0}, [3]int{one.Unit, one.Face, one.Level})
		require.Equal(t, color.NRGBA{uint8(40 + face), uint8(40 + face), uint8(40 + face), 255}, one.Image.At(5, 6))
	}
}

// TakeMove takes each fill, transfer and copy of a frame, with its destination before and after.
func TestTakeMove(t *testing.T) {
	r := open(t, "lights")
	var all []pipeline.Move
	require.NoError(t, r.Visit(t.Context(), pipeline.Position{Frame: 1, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		g.BeforeFill = func(f pipeline.Fill) { all = append(all, f) }
		g.BeforeTransfer = func(f pipeline.Transfer) { all = append(all, f) }
		g.BeforeCopy = func(f pipeline.TextureCopy) { all = append(all, f) }
		return nil
	}))
	require.Greater(t, len(all), 2)
	for i, want := range all {
		looked := 0
		m := testkit.Must(TakeMove(t.Context(), r, 1, i, func(*pipeline.GPU) { looked++ }))(t)
		require.Equal(t, want, m.Move)
		require.Equal(t, 1, looked)
		require.Equal(t, explain.MoveRow(want).Rows, m.Rows[:len(explain.MoveRow(want).Rows)])
		require.NotNil(t, m.Before, "%d", i)
		require.NotNil(t, m.After, "%d", i)
	}
	for _, bad := range []int{-1, len(all), len(all) + 3} {
		_, err := TakeMove(t.Context(), r, 1, bad, nil)
		var none *NoMoveError
		require.ErrorAs(t, err, &none)
		require.Equal(t, NoMoveError{1, bad, len(all)}, *none)
	}
	whole := testkit.Must(TakeMove(t.Context(), r, 1, 0, nil))(t)
	require.Equal(t, all[0], whole.Move)
}

// Program lines name the rasterizer inputs they write; with a geometry shader only its lines do.
func TestProgramLinesNameRasterizerInputs(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 1)
	text := testkit.Must(Source(&s.Input.Vertex, false))(t)
	lines := testkit.Must(s.Program(false))(t)
	require.Equal(t, len(strings.Split(strings.TrimSpace(text), "\n")), len(lines))
	outputs := func() map[string]string {
		all := map[string]string{}
		lines := testkit.Must(s.Program(false))(t)
		for _, l := range lines {
			if l.Outputs != nil {
				all[strings.TrimSpace(l.Text)] = strings.Join(l.Outputs, " ")
			}
		}
		return all
	}
	require.Equal(t, map[string]string{"dp4 o0.x, c0, r1": "position", "dp4 o0.y, c1, r1": "position", "dp4 o0.z, c2, r1": "position", "dp4 o0.w, c3, r1": "position",
		"mov o1, r3": "normalquat", "mov o2, v3": "color", "mov o3.xy, v2": "texcoord0", "mov o4.xy, v2": "texcoord1", "mov o5.xyz, -r1": "view"}, outputs())
	s.Input.Regs[pica.RegShOutmapO0+2] = 0x1F100B08 // three semantics in one register, and an unused component
	s.Input.Regs[pica.RegShOutmapO0+3] = 0x17161F1F
	all := outputs()
	require.Equal(t, "color texcoord0", all["mov o2, v3"])
	require.Empty(t, all["mov o3.xy, v2"], "unwritten components name no inputs")
	s.Record.GeometryEntry = 0
	require.Empty(t, outputs(), "with a geometry shader vertex outputs name no inputs")
}
