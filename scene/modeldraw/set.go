package modeldraw

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/assets/texture"
	"pica200/assets/tree"
	"pica200/internal/mgl"
)

// Set is a resource file that can be drawn.
type Set struct {
	File   *cgfx.File
	Banner bool     // it was read from a banner
	Notes  []string // what cannot be drawn exactly, one sentence each
	Size   int      // of the file, unpacked, in bytes

	parts    map[partKey]*primitives
	noted    map[string]bool
	exported int // vertices and indices
}

// Is reports whether Open can read a file that begins with head.
func Is(head []byte) bool { return cgfx.Is(head) || cgfx.IsBanner(head) || bch.Is(head) }

// Open reads a resource file (CGFX or BCH) or the common model of a banner.
func Open(data []byte) (*Set, error) {
	s := &Set{parts: map[partKey]*primitives{}, noted: map[string]bool{}}
	if cgfx.IsBanner(data) {
		b, err := cgfx.ParseBanner(data)
		if err != nil {
			return nil, err
		}
		s.Banner = true
		data = b.Models[0].Data
	}
	s.Size = len(data)
	findings, notes, err := s.read(data)
	if err != nil {
		return nil, err
	}
	for i, x := range findings {
		if i == maxShownFindings {
			s.note("%d findings more (pica200 inspect --check)", len(findings)-i)
			break
		}
		s.note("%v", x)
	}
	for _, n := range notes {
		s.note("%s", n)
	}
	return s, nil
}

// read parses a file of either format.
func (s *Set) read(data []byte) (tree.Findings, []string, error) {
	if bch.Is(data) {
		b, err := bch.Parse(data)
		if err != nil {
			return nil, nil, err
		}
		var notes []string
		s.File, notes = b.Resources()
		return b.Findings, notes, nil
	}
	f, err := cgfx.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	s.File = f
	return f.Findings, nil, nil
}

// maxShownFindings bounds the reader's findings that become notes.
const maxShownFindings = 8

func (s *Set) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !s.noted[text] && len(s.Notes) < 64 {
		s.noted[text] = true
		s.Notes = append(s.Notes, text)
	}
}

// Textures returns the textures in the file itself, without those that share
// their texels with another. Their total size is bounded by the size of the
// file; textures beyond that are skipped with a note.
func (s *Set) Textures() iter.Seq[*cgfx.Texture] {
	return func(yield func(*cgfx.Texture) bool) {
		texels := 0
		for i, t := range s.File.Textures.Values() {
			if len(t.Images) == 0 {
				continue // a reference
			}
			if !s.takeTexels(&texels, t) {
				s.note("%d textures are left out: they share their texels with others", len(s.File.Textures.Entries)-i)
				return
			}
			if !yield(t) {
				return
			}
		}
	}
}

// takeTexels adds a texture's texels to the total, if the file has enough bytes
// for them: the smallest format has two texels a byte, and an image has at
// least 64.
func (s *Set) takeTexels(texels *int, t *cgfx.Texture) bool {
	for range t.Images {
		*texels += max(int(min(t.Width, texture.MaxSize)*min(t.Height, texture.MaxSize)), 64)
	}
	return *texels <= 2*max(s.Size, 64)
}

// Common is the name of the model and of the animations in the HOME Menu.
const Common = "COMMON"

// Models lists the models that are there.
func (s *Set) Models() []*cgfx.Model { return s.File.Models.Values() }

// Animations lists the names of the animations of bones, materials, visibility, lights,
// cameras and fogs, each once, in the order of the file.
func (s *Set) Animations() (names []string) {
	for _, d := range s.animations() {
		for _, a := range d.Values() {
			if !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// The kinds of animations, in the order of Set.animations.
const (
	moveBones = iota
	moveMaterials
	moveVisibility
	moveLights
	moveCameras
	moveFogs
	kindsOfMotion
)

func (s *Set) animations() [kindsOfMotion]*cgfx.Dict[cgfx.Animation] {
	f := s.File
	return [...]*cgfx.Dict[cgfx.Animation]{&f.SkeletalAnimations, &f.MaterialAnimations, &f.VisibilityAnimations,
		&f.LightAnimations, &f.CameraAnimations, &f.FogAnimations}
}

// FrameRate is the number of animation frames in a second.
const FrameRate = 60

// Animation returns the animations with a name, or a number in Animations. ""
// is COMMON, or the first; "none" is none. The error lists the names.
func (s *Set) Animation(name string) (*Motion, error) {
	names := s.Animations()
	switch {
	case name == "none" || name == "" && len(names) == 0:
		return &Motion{none: name == "none"}, nil
	case name == "" && slices.Contains(names, Common):
		name = Common
	case name == "":
		name = names[0]
	case !slices.Contains(names, name):
		i := -1
		if n, err := fmt.Sscanf(name, "%d", &i); err != nil || n != 1 || i < 0 || i >= len(names) || fmt.Sprint(i) != name {
			if len(names) == 0 {
				return nil, fmt.Errorf("there is no animation %q; the file has none", name)
			}
			return nil, fmt.Errorf("there is no animation %q; there are %s", name, strings.Join(names, ", "))
		}
		name = names[i]
	}
	m := &Motion{Name: name}
	for i, d := range s.animations() {
		for _, a := range d.Values() {
			if a.Name == name && m.parts[i] == nil {
				m.parts[i] = a
			}
		}
	}
	return m, nil
}

// Motion is all animations with the same name: of bones, of materials, of
// visibility, and of all lights, cameras and fogs. An animation named like a
// light, a camera or a fog applies to that one only, together with any motion
// except "none"; the file format does not say more.
type Motion struct {
	Name  string
	none  bool
	parts [kindsOfMotion]*cgfx.Animation
}

// own returns the animation of a kind for the thing with a name: the one with
// the same name, or the motion's unless its name is that of another thing.
func (s *Set) own(m *Motion, kind int, name string) *cgfx.Animation {
	if m == nil || m.none {
		return nil
	}
	if a := s.animations()[kind].Get(name); a != nil {
		return a
	}
	a := m.parts[kind]
	if a != nil && slices.Contains(s.things(kind), a.Name) {
		return nil
	}
	return a
}

// things lists what animations of a kind move by name.
func (s *Set) things(kind int) []string {
	switch kind {
	case moveLights:
		return s.File.Lights.Names()
	case moveCameras:
		return s.File.Cameras.Names()
	case moveFogs:
		return s.File.Fogs.Names()
	}
	return nil
}

// Frames returns the length in frames; afterwards the animation repeats or
// stops. Parts with different lengths repeat together only if the longest is a
// multiple of the others.
func (m *Motion) Frames() float64 {
	n := 0.0
	for _, a := range m.parts {
		if a != nil && !math.IsNaN(float64(a.Frames)) && !math.IsInf(float64(a.Frames), 0) {
			n = max(n, float64(a.Frames))
		}
	}
	return n
}

// frame returns the frame of an animation after that many frames.
func frame(a *cgfx.Animation, f float64) float32 {
	n := float64(a.Frames)
	if !(n > 0) || math.IsInf(n, 0) {
		return 0
	}
	if a.Loops != 0 {
		if f = math.Mod(f, n); f < 0 {
			f += n
		}
		return float32(f)
	}
	return float32(min(max(f, 0), n))
}

// member finds what an animation does to a path, nil if nothing.
func member(a *cgfx.Animation, path string) *cgfx.Member {
	if a == nil {
		return nil
	}
	for i := range a.Members.Entries {
		if m := a.Members.Entries[i].Value; m != nil && m.Path == path {
			return m
		}
	}
	return nil
}

// degrees of an angle in radians.
func degrees(r float32) float64 { return float64(r) * (180 / math.Pi) }

// srt returns a node's transformation: scale, then rotation, then translation.
// A node without these may have a matrix.
func srt(t *cgfx.Transform) mgl64.Mat4 {
	plain := t.Scale == (mgl32.Vec3{1, 1, 1}) && t.Rotation == (mgl32.Vec3{}) && t.Translation == (mgl32.Vec3{})
	if plain && t.Local != cgfx.Identity && t.Local != (cgfx.Matrix{}) {
		return t.Local.Mat4()
	}
	return mgl.Mul(mgl.Translate(t.Translation), mgl.RotateXYZ(t.Rotation), mgl.Scale(t.Scale))
}

// Contents describes the file in one line.
func (s *Set) Contents() string {
	var b bytes.Buffer
	for _, m := range s.Models() {
		bones := 0
		if m.Skeleton != nil {
			bones = len(m.Skeleton.Bones.Entries)
		}
		fmt.Fprintf(&b, "model %s: %d meshes, %d materials, %d bones; ", m.Name, len(m.Meshes), len(m.Materials.Entries), bones)
	}
	fmt.Fprintf(&b, "%d textures, %d animations", len(s.File.Textures.Entries), len(s.Animations()))
	return b.String()
}
