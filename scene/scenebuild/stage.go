package scenebuild

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/frontend/gl"
	"pica200/scene"
	"pica200/scene/modeldraw"
	"pica200/scene/shaderfit"
	"pica200/scene/shading"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/shaders"
)

// Stage is a scene with all its files loaded. It can be drawn any number of
// times, at any time of its animation. Make one with Load or New.
type Stage struct {
	Scene    *scene.Scene
	Warnings []string // parts of models and programs that are not shown
	Text     []byte   // the scene's file, or what it would be for a model or shader; nil if New made the stage
	Hooks    *Hooks   // may be nil

	models    map[string]*model.Model
	materials map[*model.Model]*shading.Materials
	sets      map[string]*modeldraw.Set // models that are resource files
	survived  []string                  // problems that the last Render survived
	programs  map[string]*loadedProgram
	pictures  map[string][]*image.NRGBA // what the last Render skipped
	native    map[string]*texture.T3X   // textures of t3x files and raw texels, by name
	texels    int                       // bytes of pictures and native
	numbers   int                       // of lists of vertices
	resized   map[imageKey]*image.NRGBA
	patched   map[patchKey][]*model.Part
	meshes    meshCache
	notes     []string // for Remarks
	made      []made   // draws of the last drawing
	piped     bool     // made by Parse: the scene has no file
	bare      bool     // it shows a model alone
	// change, if not nil, returns register writes for a draw, for Diagnose.
	change   func(draw int) []scene.Register
	enlarged enlarged
}

// program is a shader file with the scene's settings for it. Programs are
// linked again for each drawing, since they hold the values of uniforms.
// made is a draw that was made.
type made struct {
	draw    *scene.Draw
	target  *scene.Target
	program *loadedProgram // nil for a resource file
}

// loadedProgram is the program of a draw with the shaders that it names.
type loadedProgram struct {
	file     *shbin.File
	vertex   int
	geometry int
	scene    scene.Program
	points   bool           // a geometry shader in point mode
	fit      *shaderfit.Fit // guesses about inputs and uniforms; nil if not wanted
	streams  map[int]string // streams of inputs set by the scene
	lines    []asm.Pos      // of instructions, if assembled
	sources  []asm.Source   // assembled from
}

// maxShader bounds the shader files that are read.
const maxShader = 4 << 20

// New reads the files of a scene.
func New(s *scene.Scene) (*Stage, error) {
	st := newStage(s)
	if err := st.load(); err != nil {
		return nil, err
	}
	return st, nil
}

func newStage(s *scene.Scene) *Stage {
	return &Stage{Scene: s, models: map[string]*model.Model{}, materials: map[*model.Model]*shading.Materials{}, sets: map[string]*modeldraw.Set{}, programs: map[string]*loadedProgram{},
		pictures: map[string][]*image.NRGBA{}, native: map[string]*texture.T3X{}, resized: map[imageKey]*image.NRGBA{}, patched: map[patchKey][]*model.Part{}}
}

// load reads the files.
func (st *Stage) load() error {
	s := st.Scene
	for i := range s.Models {
		if err := st.loadModel(&s.Models[i]); err != nil {
			return err
		}
	}
	for i := range s.Programs {
		p, err := st.loadProgram(&s.Programs[i])
		if err != nil {
			return err
		}
		st.programs[s.Programs[i].Name] = p
	}
	for i := range s.Textures {
		if err := st.loadTexture(&s.Textures[i]); err != nil {
			return err
		}
	}
	for w := range s.AllDraws() {
		if err := st.checkParts(w); err != nil {
			return err
		}
	}
	return nil
}

// Files lists the files that the stage was read from.
func (st *Stage) Files() []string {
	list := st.Scene.Files()
	if st.piped {
		// Data from a stream, and a model itself, are not files of the scene.
		list = slices.DeleteFunc(list, func(f string) bool { return f == st.Scene.Path(st.Scene.File) })
	} else if st.Scene.File != "" {
		list = append(list, st.Scene.File)
	}
	for _, m := range st.models {
		list = append(list, m.Files...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (st *Stage) loadModel(m *scene.Model) error {
	if m.Vertices != nil {
		return st.loadVertices(m)
	}
	var loaded *model.Model
	var err error
	switch {
	case m.Shape != nil:
		if loaded, err = m.Shape.Make(); err != nil {
			return err
		}
	case st.Scene.FS != nil:
		if err = st.Scene.Within(m.File); err == nil {
			loaded, err = model.Read(st.Scene.FS, m.File, m.File)
		}
		if err != nil {
			return m.Errorf("model %s: %v", m.Name, err)
		}
	default:
		if set, err := st.loadSet(m); set != nil || err != nil {
			return err
		}
		if err = st.Scene.Within(m.File); err == nil {
			loaded, err = model.Load(st.Scene.Path(m.File), st.Scene.Roots...)
		}
		if err != nil {
			return m.Errorf("model %s: %v", m.Name, err)
		}
	}
	for _, n := range st.use(m.Name, loaded) {
		st.Warnings = append(st.Warnings, fmt.Sprintf("model %s: %s", m.Name, n))
	}
	return nil
}

// use adds a model. It returns what of the file is not shown.
func (st *Stage) use(name string, m *model.Model) (notes []string) {
	st.models[name], st.materials[m] = m, shading.Prepare(m)
	return slices.Concat(m.Notes, st.materials[m].Notes)
}

// loadVertices makes a model of lists of vertices.
func (st *Stage) loadVertices(m *scene.Model) error {
	loaded, numbers, err := m.Vertices.Make(st.Scene, m.Name)
	if err != nil {
		return err
	}
	if st.numbers += numbers; st.numbers > maxNumbers {
		return m.Errorf("the lists of vertices of the scene have more than %d numbers", maxNumbers)
	}
	st.models[m.Name] = loaded
	return nil
}

func (st *Stage) loadProgram(g *scene.Program) (*loadedProgram, error) {
	p := &loadedProgram{scene: *g}
	aliases, procs, err := st.readProgram(p)
	if err == nil {
		err = p.choose(procs)
	}
	if err == nil && p.vertex < 0 {
		return nil, g.Errorf("program %s has no vertex shader", g.Name)
	}
	if err == nil {
		_, err = p.link()
	}
	if err == nil {
		err = p.findFit(aliases)
	}
	if err == nil {
		_, err = p.link() // with the guesses
	}
	if said := new(ShaderError); errors.As(err, &said) {
		return nil, err
	}
	if err != nil {
		return nil, g.Errorf("program %s: %v", g.Name, err)
	}
	p.points = p.geometry >= 0 && p.file.Executables[p.geometry].Geometry.Mode == shbin.GeometryPoint
	return p, nil
}

// readProgram loads or assembles the file of a program. For sources it also returns aliases of inputs, and procedures.
func (st *Stage) readProgram(p *loadedProgram) (aliases map[int]string, procs []asm.Proc, err error) {
	g := &p.scene
	if g.Library != "" {
		p.file, err = shaders.Load(g.Library)
		return nil, nil, err
	}
	if len(g.Sources) == 0 {
		data, err := st.Scene.Read(g.File, maxShader)
		if err != nil {
			return nil, nil, err
		}
		if p.file, err = shbin.Parse(data); err != nil {
			err = fmt.Errorf("%s: %w", g.File, err)
		}
		return nil, nil, err
	}
	var sources []asm.Source
	for _, name := range g.Sources {
		text, err := st.Scene.Read(name, maxShader)
		if err != nil {
			return nil, nil, err
		}
		sources = append(sources, asm.SplitSources(name, text)...)
	}
	out, diags := asm.Assemble(asm.Options{}, sources...)
	if diags.Errors() > 0 {
		return nil, nil, &ShaderError{Program: g.Name, Diagnostics: diags}
	}
	p.file, p.lines, p.sources = out.File, out.Lines, sources
	return inputAliases(sources), out.Procs, nil
}

// choose finds the executables that the scene names, or the first of each kind.
func (p *loadedProgram) choose(procs []asm.Proc) (err error) {
	p.vertex, p.geometry = p.file.First(shbin.VertexShader), p.file.First(shbin.GeometryShader)
	for _, choice := range []struct {
		name string
		to   *int
	}{{p.scene.Vertex, &p.vertex}, {p.scene.Geometry, &p.geometry}} {
		switch choice.name {
		case "":
		case "none":
			*choice.to = -1
		default:
			if *choice.to, err = findExecutable(p.file, procs, choice.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// findExecutable finds an executable by its number or the name of its entry
// point: a label of the file, or a procedure of the sources, whose names the
// file does not have.
func findExecutable(f *shbin.File, procs []asm.Proc, name string) (int, error) {
	var entries []string
	for i := range f.Executables {
		for _, p := range procs {
			if p.Start != int(f.Executables[i].Main) {
				continue
			}
			if entries = append(entries, p.Name); p.Name == name {
				return i, nil
			}
		}
	}
	n, err := gl.FindExecutable(f, name)
	if err != nil && procs != nil {
		err = fmt.Errorf("no executable %q: there are %d, with the entry points [%s]", name, len(f.Executables), strings.Join(entries, " "))
	}
	return n, err
}

func (p *loadedProgram) link() (*gl.Program, error) {
	linked, err := gl.LinkProgram(p.file, p.vertex, p.file, p.geometry)
	if err != nil {
		return nil, err
	}
	if p.scene.Library == "" {
		n := p.scene.PerRun
		if n == 0 && p.fit != nil && p.fit.PerRun > 1 {
			n = p.fit.PerRun
		}
		if n > 0 {
			err = linked.VerticesPerRun(n)
		}
		return linked, err
	}
	lib, err := shaders.Lookup(p.scene.Library)
	if err != nil {
		return nil, err
	}
	if n := lib.VerticesPerInvocation; n > 0 {
		err = linked.VerticesPerRun(n)
	}
	return linked, err
}

// library returns a program of the library, loaded once.
func (st *Stage) library(name string) (*loadedProgram, error) {
	key := "\x00" + name // no scene can have this name
	if p, ok := st.programs[key]; ok {
		return p, nil
	}
	p, err := st.loadProgram(&scene.Program{Name: name, Library: name})
	if err == nil {
		st.programs[key] = p
	}
	return p, err
}

func (st *Stage) loadTexture(t *scene.Texture) error {
	native, err := t.Native(st.Scene)
	if err != nil {
		return err
	}
	if native != nil {
		st.native[t.Name] = native
		return st.hold(t, len(native.Data))
	}
	var images []scene.Image
	switch {
	case t.From != "":
		return nil
	case len(t.Faces) > 0:
		images = t.Faces
	case len(t.Levels) > 0:
		images = t.Levels
	default:
		images = []scene.Image{t.Image}
	}
	for i := range images {
		m, err := images[i].Make(st.Scene)
		if err != nil {
			return err
		}
		if len(t.Levels) == 0 {
			m = model.ToTexture(m, sampler(t))
		}
		if i > 0 {
			first := st.pictures[t.Name][0].Rect.Size()
			want := first
			if len(t.Levels) > 0 {
				want = image.Pt(first.X>>i, first.Y>>i)
			}
			if m.Rect.Size() != want {
				return images[i].Errorf("the picture is %dx%d; expected %dx%d", m.Rect.Dx(), m.Rect.Dy(), want.X, want.Y)
			}
		}
		st.pictures[t.Name] = append(st.pictures[t.Name], m)
		if err := st.hold(t, len(m.Pix)); err != nil {
			return err
		}
	}
	return nil
}

// maxNumbers bounds the numbers and indices of all lists of vertices of a scene.
const maxNumbers = 32 << 20

// maxTexels bounds the bytes of all textures of a scene: as much as the console has memory.
const maxTexels = 128 << 20

// hold counts the texels of a texture.
func (st *Stage) hold(t *scene.Texture, bytes int) error {
	if st.texels += bytes; st.texels > maxTexels {
		return t.Errorf("the textures of the scene take more than %d MiB", maxTexels>>20)
	}
	return nil
}

// ShaderError is the assembler's error for a program of a scene.
type ShaderError struct {
	Program     string
	Diagnostics asm.Diagnostics
}

// Error quotes the lines of the shader.
func (e *ShaderError) Error() string {
	var b strings.Builder
	for i := range e.Diagnostics {
		if d := &e.Diagnostics[i]; d.Severity == asm.Error {
			d.Print(&b)
		}
	}
	fmt.Fprintf(&b, "in program %s", e.Program)
	return b.String()
}
