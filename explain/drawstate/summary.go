package drawstate

import (
	"fmt"
	"slices"
	"strings"

	"pica200/explain"
	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/internal/plural"
	"pica200/pica"
)

// Summary describes the draw in a few lines: what it draws and where, shaders
// and textures, the result of the combiner stages, the tests, and how it is
// written. Each line links to its registers.
func (s *State) Summary() (list []rows.Row) {
	r := &s.Input.Regs
	add := func(of pica.Field, label, form string, values ...any) *rows.Row {
		list = append(list, rows.New(label, form, values...).To(rows.Link{To: rows.ToRegister, Register: of.Reg.String()}))
		return &list[len(list)-1]
	}
	value := func(f pica.Field) string { return f.Format(f.Get(r)) }
	draw, counts := explain.DrawRow(&s.Record), explain.CountsRow(&s.Record.DrawStats)
	combiners := s.Combiners()
	add(pica.PrimitiveConfigMode, "in words", "{words}", "words", s.words(combiners))
	row := add(pica.PrimitiveConfigMode, "draws", "{what}", "what", draw.Text())
	if s.Record.LeftOut {
		row.Mark = rows.Failed
	} else {
		add(pica.FacecullingMode, "became", "{what}", "what", counts.Text())
	}
	if c := s.Changed; c != nil && c.Pixels == 0 {
		add(pica.ViewportWidth, "changed", "nothing").Mark = rows.Idle
	} else if c != nil {
		add(pica.ViewportWidth, "changed", "{pixels}, in {width}x{height} from {x},{y} on", "pixels", plural.Of(c.Pixels, "pixel"),
			"width", c.Box.Dx(), "height", c.Box.Dy(), "x", c.Box.Min.X, "y", c.Box.Min.Y)
	}
	add(pica.ColorbufferLoc, "target", "{target}", "target", s.Record.Target)
	if cull := pica.CullMode(pica.FacecullingMode.Get(r)); cull != pica.CullNone {
		add(pica.FacecullingMode, "culled", "{mode} faces", "mode", cull)
	}
	if pica.ScissortestMode.Get(r) != 0 {
		add(pica.ScissortestMode, "scissor", "{mode}, {x1},{y1} to {x2},{y2}", "mode", value(pica.ScissortestMode),
			"x1", pica.ScissortestX1.Get(r), "y1", pica.ScissortestY1.Get(r), "x2", pica.ScissortestX2.Get(r), "y2", pica.ScissortestY2.Get(r))
	}
	add(pica.VshEntrypoint, "vertex shader", named(s.Sources[0])+"from 0x{entry|%03X} on", "source", s.Sources[0], "entry", s.Record.VertexEntry)
	if s.Record.GeometryEntry >= 0 {
		add(pica.GshEntrypoint, "geometry shader", named(s.Sources[1])+"from 0x{entry|%03X} on, {mode}", "source", s.Sources[1],
			"entry", s.Record.GeometryEntry, "mode", s.Record.GeometryMode)
	}
	for _, t := range s.Record.Textures {
		at := pica.TexunitOffset(t.Unit)
		field := func(f pica.Field) string { return value(f.At(at)) }
		add(pica.TexunitMagFilter.At(at), "texture {unit}", "{width}x{height} {format} {type} at 0x{address|%08X}, {filter}, {wrap}", "unit", t.Unit,
			"width", t.Width, "height", t.Height, "format", t.Format, "type", t.Type, "address", t.Addr,
			"filter", field(pica.TexunitMagFilter), "wrap", field(pica.TexunitWrapS)+" and "+field(pica.TexunitWrapT)).Link =
			&rows.Link{To: rows.ToTexel, Unit: t.Unit, Address: t.Addr}
	}
	if pica.TexunitEnable3.Bool(r) {
		add(pica.TexunitEnable3, "texture 3", "procedural")
	}
	if lights := fragment.LightsOn(r); len(lights) > 0 {
		names := strings.Trim(fmt.Sprint(lights), "[]")
		row := add(pica.LightingEnable, "lighting", "by light {lights}", "lights", strings.ReplaceAll(names, " ", ", "))
		if mode := pica.BumpMode(pica.LightingBumpMode.Get(r)); mode != pica.BumpNone {
			row.Form += ", {bump} map in texture {unit}"
			row.Add("bump", mode, "unit", pica.LightingBumpTexture.Get(r))
		}
		if pica.LightingShadowEnable.Bool(r) {
			row.Form += ", shadow in texture {shadow}"
			row.Add("shadow", pica.LightingShadowTexture.Get(r))
		}
	}
	for _, stage := range combiners {
		if stage.Mark != rows.Idle {
			list = append(list, stage)
		}
	}
	if mode := pica.FogMode(pica.TexenvUpdateFogMode.Get(r)); mode == pica.FogModeFog || mode == pica.FogModeGas {
		add(pica.TexenvUpdateFogMode, "then", "{mode}", "mode", mode)
	}
	if pica.AlphaTestEnable.Bool(r) {
		add(pica.AlphaTestEnable, "alpha test", "alpha {func} {reference}", "func", value(pica.AlphaTestFunc), "reference", pica.AlphaTestRef.Get(r))
	}
	if mode := pica.FragmentMode(pica.ColorOperationMode.Get(r)); mode != pica.FragmentModeDefault {
		add(pica.ColorOperationMode, "written", "as {mode}", "mode", mode)
		return list
	}
	s.writing(add, value)
	return list
}

// named is the form that puts a source's name before the description of a
// program.
func named(source string) string {
	if source == "" {
		return ""
	}
	return "{source}, "
}

// coloredBy describes sources of the combiner stages other than stages.
var coloredBy = map[pica.Source]string{
	pica.SourcePrimaryColor: "vertex colours", pica.SourceFragmentPrimary: "diffuse light", pica.SourceFragmentSecondary: "specular light",
	pica.SourceTexture0: "texture 0", pica.SourceTexture1: "texture 1", pica.SourceTexture2: "texture 2", pica.SourceTexture3: "the procedural texture",
	pica.SourceConstant: "a constant",
}

// words describes the draw in a sentence: what its colour comes from, what is
// tested, and how it is written to the target.
func (s *State) words(combiners []rows.Row) string {
	if s.Record.LeftOut {
		return "nothing: it is left out, as a warning says"
	}
	r := &s.Input.Regs
	text := plural.Of(s.Record.Geometry.Primitives, "triangle")
	mode := pica.FragmentMode(pica.ColorOperationMode.Get(r))
	if mode != pica.FragmentModeDefault {
		return text + ", written as " + mode.String()
	}
	var by []string
	for source := pica.SourcePrimaryColor; source <= pica.SourceConstant; source++ {
		for i := range combiners {
			list, _ := combiners[i].Get("sources").([]pica.Source)
			if name := coloredBy[source]; name != "" && combiners[i].Mark != rows.Idle && slices.Contains(list, source) && !slices.Contains(by, name) {
				by = append(by, name)
			}
		}
	}
	if len(by) > 0 {
		text += ", coloured by " + listed(by)
	}
	if pica.FogMode(pica.TexenvUpdateFogMode.Get(r)) == pica.FogModeFog {
		text += ", in fog"
	}
	var tests []string
	for _, t := range []struct {
		on   pica.Field
		name string
	}{{pica.AlphaTestEnable, "alpha"}, {pica.StencilTestEnable, "stencil"}, {pica.DepthTestEnable, "depth"}} {
		if t.on.Bool(r) {
			tests = append(tests, t.name)
		}
	}
	if len(tests) > 0 {
		text += ", tested by " + listed(tests)
	}
	switch {
	case pica.BlendMode(pica.ColorOperationBlend.Get(r)) != pica.BlendModeBlend:
		text += ", combined bit by bit with what was there"
	case r[pica.RegBlendFunc] == plainBlend(r):
		text += ", in place of what was there"
	default:
		text += ", blended with what was there"
	}
	return text
}

// listed joins names with commas, and a word before the last.
func listed(names []string) string {
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}

// Combiners describes what the combiner stages compute, as
// explain.CombinerRows does; for invalid stages it gives the error.
func (s *State) Combiners() []rows.Row {
	list, err := explain.CombinerRows(&s.Input.Regs)
	if err != nil {
		return []rows.Row{{Label: "combiners", Form: "{error}", Values: []rows.Value{{Name: "error", Is: err.Error()}}, Mark: rows.Failed}}
	}
	return list
}

// plainBlend is the blend function whose result is the source.
func plainBlend(r *pica.Regs) uint32 {
	var plain pica.Regs
	plain[pica.RegBlendFunc] = r[pica.RegBlendFunc]
	for _, eq := range []pica.Field{pica.BlendRgbEquation, pica.BlendAlphaEquation} {
		eq.Set(&plain, uint32(pica.BlendAdd))
	}
	for _, f := range []pica.Field{pica.BlendRgbSource, pica.BlendAlphaSource} {
		f.Set(&plain, uint32(pica.FactorOne))
	}
	for _, f := range []pica.Field{pica.BlendRgbDest, pica.BlendAlphaDest} {
		f.Set(&plain, uint32(pica.FactorZero))
	}
	return plain[pica.RegBlendFunc]
}

// writing describes the tests of a fragment and how it is written.
func (s *State) writing(add func(of pica.Field, label, form string, values ...any) *rows.Row, value func(pica.Field) string) {
	r := &s.Input.Regs
	if pica.StencilTestEnable.Bool(r) {
		add(pica.StencilTestEnable, "stencil test", "{reference} {func} stencil, under the mask {mask|%02X}; then {fail}, {zfail} behind, {pass} before",
			"reference", pica.StencilTestRef.Get(r), "func", value(pica.StencilTestFunc), "mask", pica.StencilTestMask.Get(r),
			"fail", value(pica.StencilOpFail), "zfail", value(pica.StencilOpZFail), "pass", value(pica.StencilOpZPass))
	}
	if pica.DepthTestEnable.Bool(r) {
		form := "depth {func} buffer"
		if !pica.DepthWriteEnable.Bool(r) {
			form += ", not written"
		}
		add(pica.DepthTestEnable, "depth test", form, "func", value(pica.DepthTestFunc))
	}
	switch {
	case pica.BlendMode(pica.ColorOperationBlend.Get(r)) != pica.BlendModeBlend:
		add(pica.LogicOpFunc, "logic op", "{operation}", "operation", value(pica.LogicOpFunc))
	case r[pica.RegBlendFunc] == plainBlend(r):
		add(pica.ColorOperationBlend, "blending", "none: the colour replaces what was there")
	default:
		for _, half := range []struct {
			name          string
			eq, src, dest pica.Field
		}{{"rgb", pica.BlendRgbEquation, pica.BlendRgbSource, pica.BlendRgbDest}, {"alpha", pica.BlendAlphaEquation, pica.BlendAlphaSource, pica.BlendAlphaDest}} {
			add(half.eq, "blend "+half.name, explain.BlendForm, "equation", value(half.eq), "source", value(half.src), "dest", value(half.dest))
		}
	}
	written := ""
	for i, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA} {
		if f.Bool(r) {
			written += "rgba"[i : i+1]
		}
	}
	switch written {
	case "rgba":
	case "":
		add(pica.ColorMaskR, "written", "no colour: all channels are masked")
	default:
		add(pica.ColorMaskR, "written", "{channels} alone", "channels", written)
	}
}
