package model

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
)

// maxLine bounds a line of OBJ and MTL; polygons of thousands of corners fit.
const maxLine = 1 << 20

// corner is a corner of a face: indices from 0, -1 for none.
type corner struct{ v, t, n int32 }

// objReader reads a Wavefront OBJ file (specification: Wavefront, Advanced
// Visualizer manual, appendix B1), the polygonal part of it.
type objReader struct {
	from      *source
	m         *Model
	pos       []mgl32.Vec3
	color     []mgl32.Vec4 // the xyz rgb extension; empty without
	uv        []mgl32.Vec2
	normal    []mgl32.Vec3
	materials map[string]int
	libraries map[string]bool // that were read, by path
	looks     objLook         // of the next faces
	groups    []*objGroup     // in order of first use
	byLooks   map[objLook]*objGroup
	notes     map[string]bool
	parted    string // the statement that names meshes, "o" or "g"
	smoothed  map[int]map[int32]mgl64.Vec3
}

// objLook is what faces of a group have in common.
type objLook struct {
	mesh     string
	material int
	smooth   bool
}

// maxMeshes bounds the meshes of a file by its names; one with more is one mesh.
const maxMeshes = 256

// meshLine matches a statement that names an object or a group.
var meshLine = regexp.MustCompile(`(?m)^[ \t]*([og])[ \t]+(\S[^\r\n]*?)[ \t]*$`)

// namesOf returns the statement by which the faces of a file become meshes: o, or
// g where no object has a name.
func namesOf(data []byte) string {
	count := map[string]map[string]bool{"o": {}, "g": {}}
	for _, m := range meshLine.FindAllSubmatch(data, -1) {
		if by := count[string(m[1])]; len(by) <= maxMeshes {
			by[string(m[2])] = true
		}
	}
	for _, by := range []string{"o", "g"} {
		if n := len(count[by]); n > 0 {
			if n > maxMeshes {
				return ""
			}
			return by
		}
	}
	return ""
}

type objGroup struct {
	objLook
	corners []corner // triples
	face    []int    // a triangle's polygon: its first triangle
}

func readOBJ(data []byte, from *source) (*Model, error) {
	r := &objReader{from: from, m: &Model{}, materials: map[string]int{}, libraries: map[string]bool{}, looks: objLook{material: -1},
		byLooks: map[objLook]*objGroup{}, notes: map[string]bool{}, parted: namesOf(data), smoothed: map[int]map[int32]mgl64.Vec3{}}
	if err := eachLine(data, r.note, r.line); err != nil {
		return nil, err
	}
	for _, g := range r.groups {
		r.smooth(g)
	}
	numbers := map[string]int{}
	for _, g := range r.groups {
		i, ok := numbers[g.mesh]
		if !ok {
			i = len(r.m.Meshes)
			numbers[g.mesh] = i
			r.m.Meshes = append(r.m.Meshes, Mesh{})
			r.m.Nodes = append(r.m.Nodes, Node{Name: cmp.Or(g.mesh, "obj"), Parent: -1, TRS: Identity, Mesh: i, Skin: -1, Shown: true})
		}
		r.m.Meshes[i].Parts = append(r.m.Meshes[i].Parts, r.build(g)...)
	}
	if len(r.m.Meshes) == 0 {
		return nil, fmt.Errorf("the file has no faces")
	}
	return r.m, nil
}

// eachLine calls f with the words of every line that has any. Comments are cut
// off and lines that end in a backslash joined. Errors get the line's number;
// an *unreadable file is only noted.
func eachLine(data []byte, note func(string), f func(words []string) error) error {
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(make([]byte, 0, 4096), maxLine)
	no, first, joined := 0, 0, ""
	for s.Scan() {
		no++
		text := s.Text()
		if joined == "" {
			first = no
		}
		if cut, ok := strings.CutSuffix(strings.TrimRight(text, " \t\r"), `\`); ok {
			if joined += cut + " "; len(joined) > maxLine {
				return fmt.Errorf("line %d: longer than %d bytes", first, maxLine)
			}
			continue
		}
		text = joined + text
		joined = ""
		text, _, _ = strings.Cut(text, "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		err := f(words)
		if unread := (*unreadable)(nil); errors.As(err, &unread) {
			note(fmt.Sprintf("line %d: %v", first, unread))
		} else if err != nil {
			return fmt.Errorf("line %d: %w", first, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", no+1, err)
	}
	return nil
}

func (r *objReader) line(w []string) error {
	switch w[0] {
	case "v":
		v, err := numbers(w, 3, 8)
		if err != nil {
			return err
		}
		if err := r.from.spend(costVertices, 1); err != nil {
			return err
		}
		r.pos = append(r.pos, mgl32.Vec3{v[0], v[1], v[2]})
		if len(v) >= 6 {
			for len(r.color) < len(r.pos)-1 {
				r.color = append(r.color, mgl32.Vec4{1, 1, 1, 1})
			}
			r.color = append(r.color, mgl32.Vec4{v[3], v[4], v[5], 1})
		}
	case "vt":
		v, err := numbers(w, 1, 3)
		if err != nil {
			return err
		}
		t := mgl32.Vec2{v[0], 0}
		if len(v) > 1 {
			t[1] = v[1]
		}
		r.uv = append(r.uv, t)
	case "vn":
		v, err := numbers(w, 3, 3)
		if err != nil {
			return err
		}
		r.normal = append(r.normal, unit([]mgl32.Vec3{{v[0], v[1], v[2]}})[0])
	case "f":
		return r.face(w[1:])
	case "s":
		r.looks.smooth = len(w) > 1 && w[1] != "off" && w[1] != "0"
	case "usemtl":
		name := strings.Join(w[1:], " ")
		i, ok := r.materials[name]
		if !ok {
			if err := r.from.spend(costMaterials, 1); err != nil {
				return err
			}
			i = len(r.m.Materials)
			m := DefaultMaterial()
			m.Name = name
			r.m.Materials = append(r.m.Materials, m)
			r.materials[name] = i
			r.note("material " + clip(name) + " is in no material library; the default is used instead")
		}
		r.looks.material = i
	case "mtllib":
		all := strings.Join(w[1:], " ")
		if _, err := r.from.read(all); err == nil || len(w) <= 2 {
			return r.library(all)
		}
		for _, name := range w[1:] { // a missing one does not keep the others out
			err := r.library(name)
			if unread := (*unreadable)(nil); errors.As(err, &unread) {
				r.note(err.Error())
			} else if err != nil {
				return err
			}
		}
	case "o", "g":
		if w[0] == r.parted {
			r.looks.mesh = strings.Join(w[1:], " ")
		}
	case "mg", "usemap", "maplib", "lod", "shadow_obj", "trace_obj", "bevel", "c_interp", "d_interp":
	case "l", "p":
		r.note("points and lines are left out")
	case "vp", "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim", "hole", "scrv", "sp", "end", "con", "ctech", "stech":
		r.note("free-form curves and surfaces are left out")
	case "vw", "t":
		r.note(w[0] + ": weights and creases are left out")
	case "newmtl", "Ka", "Kd", "Ks", "Ke", "Ns", "Ni", "d", "Tr", "illum":
		r.note("statements of materials in the file itself are left out; a material library holds them")
	default:
		return fmt.Errorf("unknown statement %q", clip(w[0]))
	}
	return nil
}

func (r *objReader) note(s string) {
	if !r.notes[s] && len(r.notes) < 20 {
		r.notes[s] = true
		r.m.Notes = append(r.m.Notes, s)
	}
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// numbers parses the words after the first as lo to hi finite numbers; more
// are ignored.
func numbers(w []string, lo, hi int) ([]float32, error) {
	if len(w)-1 < lo {
		return nil, fmt.Errorf("%s needs %d numbers, found %d", w[0], lo, len(w)-1)
	}
	var out []float32
	for _, s := range w[1:min(len(w), hi+1)] {
		f, err := strconv.ParseFloat(s, 32)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%s: %q is not a finite number", w[0], clip(s))
		}
		out = append(out, float32(f))
	}
	return out, nil
}

func (r *objReader) face(w []string) error {
	if len(w) < 3 {
		return fmt.Errorf("a face of %d corners", len(w))
	}
	g, err := r.group()
	if err != nil {
		return err
	}
	var first, prev corner
	polygon := len(g.face)
	for i, s := range w {
		c, err := r.corner(s)
		if err != nil {
			return err
		}
		switch {
		case i == 0:
			first = c
		case i >= 2:
			if err := r.from.spend(costIndices, 3); err != nil {
				return err
			}
			g.corners = append(g.corners, first, prev, c)
			g.face = append(g.face, polygon)
		}
		prev = c
	}
	return nil
}

func (r *objReader) group() (*objGroup, error) {
	if g := r.byLooks[r.looks]; g != nil {
		return g, nil
	}
	g := &objGroup{objLook: r.looks}
	r.groups, r.byLooks[r.looks] = append(r.groups, g), g
	return g, r.from.spend(costParts, 1)
}

// corner parses v, v/t, v//n or v/t/n; negative indices count from the end.
func (r *objReader) corner(s string) (corner, error) {
	c := corner{-1, -1, -1}
	for k, f := range strings.SplitN(s, "/", 3) {
		if f == "" {
			if k == 0 {
				return c, fmt.Errorf("corner %q has no vertex", clip(s))
			}
			continue
		}
		n := [3]int{len(r.pos), len(r.uv), len(r.normal)}[k]
		i, err := strconv.Atoi(f)
		if err != nil {
			return c, fmt.Errorf("corner %q: %q is not a number", clip(s), clip(f))
		}
		if i < 0 {
			i += n
		} else {
			i--
		}
		if n == 0 && k > 0 {
			r.note("faces name " + [3]string{1: "texture coordinates", 2: "normals"}[k] + ", of which the file has none")
			continue
		}
		if i < 0 || i >= n {
			return c, fmt.Errorf("corner %q: %s %s of %d", clip(s), [3]string{"vertex", "texture coordinate", "normal"}[k], f, n)
		}
		*[]*int32{&c.v, &c.t, &c.n}[k] = int32(i)
	}
	return c, nil
}

// smooth adds the normals of a group in a smoothing group: at a vertex the sum
// over the faces around it with its material, weighted by area, whichever mesh
// they belong to.
func (r *objReader) smooth(g *objGroup) {
	if !g.objLook.smooth {
		return
	}
	if r.smoothed[g.material] == nil {
		r.smoothed[g.material] = map[int32]mgl64.Vec3{}
	}
	sum := r.smoothed[g.material]
	for i := 0; i+2 < len(g.corners); i += 3 {
		n := r.areaNormal(g.corners[i : i+3])
		for _, c := range g.corners[i : i+3] {
			sum[c.v] = sum[c.v].Add(n)
		}
	}
}

// build turns a group's corners into parts. Corners without a normal get their
// face's, or in a smoothing group the smooth one.
func (r *objReader) build(g *objGroup) []Part {
	smooth := r.smoothed[g.material]
	var b big
	b.Material = g.material
	type key struct {
		corner
		face int // of flat shading, else -1
	}
	seen := map[key]uint32{}
	hasUV := slices.ContainsFunc(g.corners, func(c corner) bool { return c.t >= 0 })
	for i, c := range g.corners {
		k := key{c, -1}
		if c.n < 0 && !g.smooth {
			k.face = g.face[i/3]
		}
		at, ok := seen[k]
		if !ok {
			at = uint32(len(b.Positions))
			seen[k] = at
			b.Positions = append(b.Positions, r.pos[c.v])
			switch {
			case c.n >= 0:
				b.Normals = append(b.Normals, r.normal[c.n])
			case g.smooth:
				b.Normals = append(b.Normals, mgl.Narrow3(mgl.Unit(smooth[c.v])))
			default:
				t := g.corners[3*g.face[i/3]:]
				b.Normals = append(b.Normals, faceNormal(r.pos[t[0].v], r.pos[t[1].v], r.pos[t[2].v]))
			}
			if hasUV {
				var uv mgl32.Vec2
				if c.t >= 0 {
					uv = r.uv[c.t]
				}
				b.UV[0] = append(b.UV[0], uv)
			}
			if len(r.color) > 0 {
				col := mgl32.Vec4{1, 1, 1, 1}
				if int(c.v) < len(r.color) {
					col = r.color[c.v]
				}
				b.Colors = append(b.Colors, col)
			}
		}
		b.indices = append(b.indices, at)
	}
	return b.split()
}

// areaNormal is the face's normal, as long as twice its area.
func (r *objReader) areaNormal(c []corner) mgl64.Vec3 {
	p := func(i int) mgl64.Vec3 { return mgl.Wide3(r.pos[c[i].v]) }
	return p(1).Sub(p(0)).Cross(p(2).Sub(p(0)))
}

// library reads a material library. One that cannot be read is only noted: OBJ
// files are often passed on without them.
func (r *objReader) library(name string) error {
	at := r.from.Path(name)
	if r.libraries[at] {
		return nil
	}
	r.libraries[at] = true
	data, err := r.from.read(name)
	if err != nil {
		return without(name, err, "default materials are used instead of those of this library")
	}
	if err := r.readMTL(clip(name), data); err != nil {
		return fmt.Errorf("%s: %w", clip(name), err)
	}
	return nil
}
