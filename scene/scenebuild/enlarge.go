package scenebuild

import (
	"cmp"
	"math"
	"slices"

	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/scene"
)

// enlarged are the targets that are drawn larger than the scene says. The zero value enlarges none.
type enlarged struct {
	factor float64 // at least 1
	names  []string
}

// Enlarge makes the following drawings larger by a factor: the main target and
// those that share buffers with it, with their viewports and scissor
// rectangles. Such a drawing is a preview: no console shows it, and nothing is
// sent to a screen. It returns the factor that is used, 1 or more, and what
// bounds it if that is less; "" otherwise.
func (st *Stage) Enlarge(factor float64) (used float64, bound string) {
	st.enlarged = enlarged{}
	if !(factor > 1) {
		return 1, ""
	}
	s := st.Scene
	if s.Camera.Stereo != nil {
		return 1, "the pictures of both eyes go to a screen, whose size is fixed"
	}
	if st.setsSizes() {
		return 1, "registers of the scene set sizes in pixels"
	}
	e := enlarged{names: st.sharing()}
	most, reason := float64(gl.MaxTarget)/float64(max(s.Target.Width, s.Target.Height)), "the longer side of a target has at most 1024 pixels"
	fixed, growing := 0, 0
	for t := range st.targets {
		bytes := t.Width * t.Height * targetBytes(t)
		if e.has(t.Name) {
			growing += bytes
		} else {
			fixed += bytes
		}
	}
	if room := math.Sqrt(float64(pica.VRAMSize-fixed) / float64(max(growing, 1))); room < most {
		most, reason = room, "the targets take all of the video memory"
	}
	if used = factor; used > most {
		used, bound = max(most, 1), reason
	}
	if slices.ContainsFunc(s.Textures, func(t scene.Texture) bool { return t.From != "" && e.has(t.From) }) {
		if n := math.Exp2(math.Floor(math.Log2(used))); n != used {
			used, bound = n, "a target is read as a texture, whose sides are powers of two"
		}
	}
	if e.factor = used; used > 1 {
		st.enlarged = e
	}
	return used, bound
}

// targets calls f with the targets of the passes and the main one, which is named "main".
func (st *Stage) targets(f func(t *scene.Target) bool) {
	for i := range st.Scene.Passes {
		if !f(&st.Scene.Passes[i].Target) {
			return
		}
	}
	main := st.Scene.Target
	main.Name = "main"
	f(&main)
}

// targetBytes returns the bytes a pixel of the buffers that a target does not share.
func targetBytes(t *scene.Target) (n int) {
	o := targetOptions(t)
	if !o.NoColor && t.ShareColor == "" {
		n = o.Color.Bytes()
	}
	if !o.NoDepth && t.ShareDepth == "" {
		n += o.Depth.Bytes()
	}
	return n
}

// sharing lists the targets that share buffers with the main one, which is among them.
func (st *Stage) sharing() []string {
	names := []string{"main"}
	for n := 0; n != len(names); {
		n = len(names)
		for t := range st.targets {
			group := []string{t.Name, t.ShareColor, t.ShareDepth}
			if !slices.ContainsFunc(group, func(name string) bool { return slices.Contains(names, name) }) {
				continue
			}
			for _, name := range group {
				if name != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// setsSizes reports whether registers of the scene set the size of the viewport, the scissor rectangle or the target.
func (st *Stage) setsSizes() bool {
	sizes := []pica.Reg{pica.RegViewportWidth, pica.RegViewportInvw, pica.RegViewportHeight, pica.RegViewportInvh, pica.RegViewportXy,
		pica.RegScissortestPos, pica.RegScissortestDim, pica.RegFramebufferDim, pica.RegRenderbufDim}
	sets := func(list []scene.Register) bool {
		return slices.ContainsFunc(list, func(r scene.Register) bool { return slices.Contains(sizes, pica.Reg(r.Reg)) })
	}
	inDraws := func(list []scene.Draw) bool {
		return slices.ContainsFunc(list, func(w scene.Draw) bool { return sets(w.Registers) })
	}
	s := st.Scene
	return sets(s.Registers) || inDraws(s.Draws) || slices.ContainsFunc(s.Passes, func(p scene.Pass) bool { return sets(p.Registers) || inDraws(p.Draws) })
}

func (e *enlarged) has(name string) bool { return slices.Contains(e.names, name) }

// Size returns a target as it is drawn.
func (st *Stage) Size(t scene.Target) scene.Target {
	e := &st.enlarged
	if !e.has(cmp.Or(t.Name, "main")) {
		return t
	}
	w, h := int(float64(t.Width)*e.factor)&^7, int(float64(t.Height)*e.factor)&^7
	t.Viewport = scaled(t.Viewport, float64(w)/float64(t.Width), float64(h)/float64(t.Height))
	t.Width, t.Height = w, h
	return t
}

// scaled returns a rectangle of pixels, x, y, width, height, in a larger target.
func scaled(r [4]int, x, y float64) [4]int {
	for k, f := range [4]float64{x, y, x, y} {
		r[k] = int(math.Round(float64(r[k]) * f))
	}
	return r
}
