package sceneexport

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/picatrace"
	"pica200/frontend/dmp"
	"pica200/internal/files"
	"pica200/internal/plural"
	"pica200/scene"
)

// sceneFile is the name of the scene in its folder.
const sceneFile = "scene.yaml"

// Options are the choices of an export.
type Options struct {
	Frame int    // of the trace, from 0; negative is the last
	Name  string // of the scene
	// Force also replaces files that no earlier export wrote, or that were changed
	// since.
	Force bool
}

// Export writes the folder dir: scene.yaml with a frame of the trace, and its
// files. An earlier export in dir is replaced; other files are kept. If another
// file would be replaced, Export stops with a *files.Occupied, unless
// Options.Force is set. After an error it leaves nothing behind.
func Export(ctx context.Context, t *picatrace.Trace, dir string, o Options) (*Report, error) {
	r, frame, err := record(ctx, t, o.Frame)
	if err != nil {
		return nil, err
	}
	defer r.gpu.Close()
	out, err := files.NewFolder(dir)
	if err != nil {
		return nil, err
	}
	defer out.Discard()
	e := &export{recording: r, out: out, report: &Report{Frame: frame}}
	e.report.Notes = append(e.report.Notes, r.notes...)
	e.report.Notes = append(e.report.Notes, r.present()...)
	r.mainLast()
	if err := e.make(o.Name); err != nil {
		return nil, err
	}
	if err := e.verify(ctx); err != nil {
		return nil, err
	}
	e.finish()
	if err := e.save(); err != nil {
		return nil, err
	}
	return e.report, out.Commit(o.Force)
}

// export is a scene that is being made.
type export struct {
	*recording
	out    *files.Folder
	report *Report
	scene  *scene.Scene
	drawn  []*draw // in scene order
	text   string  // text of the scene as last written
	begun  int     // number of draws that had begun when drawing failed
}

// sceneDraws lists the scene's draws in the order in which they are drawn.
func (e *export) sceneDraws() (list []*scene.Draw) {
	for i := range e.scene.Passes {
		p := &e.scene.Passes[i]
		for k := range p.Draws {
			list = append(list, &p.Draws[k])
		}
	}
	for k := range e.scene.Draws {
		list = append(list, &e.scene.Draws[k])
	}
	return list
}

// make builds the scene and writes its files.
func (e *export) make(name string) error {
	s := &scene.Scene{Name: name, Camera: scene.Camera{Near: 0.1, Far: 100}}
	e.scene = s
	progs := programs(e.draws, &e.meshes)
	of := map[*draw]*shaderPair{}
	for _, p := range progs {
		entry, notes, err := p.write(e.out)
		if err != nil {
			for _, d := range p.draws {
				e.leaveOut(d, fmt.Errorf("%s: %w", p.name, err))
			}
			continue
		}
		s.Programs = append(s.Programs, entry)
		e.otherwise = append(e.otherwise, notes...)
		for _, d := range p.draws {
			of[d] = p
		}
	}
	s.Models = []scene.Model{{Name: "meshes", File: "meshes.glb"}}
	if err := e.meshes.write(e.out, "meshes.glb"); err != nil {
		return err
	}
	if err := e.textures.write(e.out); err != nil {
		return err
	}
	s.Textures = e.textures.list
	var tabs tables
	for i, p := range e.passes {
		var draws []scene.Draw
		for _, d := range p.draws {
			if d.out {
				continue
			}
			w := e.describe(d, of[d], &tabs)
			w.Name = fmt.Sprintf("draw %d", d.index)
			draws = append(draws, w)
			e.drawn = append(e.drawn, d)
		}
		if i == len(e.passes)-1 {
			if m := mode(p); m != "color" {
				e.report.Notes = append(e.report.Notes, fmt.Sprintf("the picture is a %s buffer", m))
			}
			s.Target = e.target(p, "")
			s.Draws = draws
			continue
		}
		s.Passes = append(s.Passes, scene.Pass{Name: p.name, Target: e.target(p, p.name), Mode: mode(p), State: scene.State{}, Draws: draws})
		if mode(p) != "color" && p.raw != nil && p.clear.Color != nil {
			v := *p.raw
			s.Passes[i].Target.Clear.Color = &mgl64.Vec4{float64(v>>24) / 255, float64(v>>16&255) / 255, float64(v>>8&255) / 255, float64(v&255) / 255}
		}
	}
	s.Tables = tabs.list
	e.hoistUniforms()
	// The picture is rotated like the console's screens.
	s.Camera.Rotated = s.Target.Screen != ""
	if len(e.drawn) == 0 {
		return fmt.Errorf("no draw can be expressed: %s", strings.Join(e.report.Notes, "; "))
	}
	e.report.Passes, e.report.Programs = len(e.passes), len(s.Programs)
	e.report.Textures, e.report.Meshes = len(s.Textures), len(e.meshes.list)
	return nil
}

// finish gathers the notes and moves what all draws share to the scene.
func (e *export) finish() {
	for _, p := range e.passes {
		for _, n := range p.notes {
			e.report.Notes = append(e.report.Notes, p.name+": "+n)
		}
		for _, d := range p.draws {
			for _, n := range d.notes {
				e.report.Notes = append(e.report.Notes, fmt.Sprintf("draw %d: %s", d.index, n))
			}
		}
	}
	e.report.Otherwise = e.otherwise
	if e.lists > 0 {
		e.report.Otherwise = append(e.report.Otherwise, plural.Of(e.lists, "draw")+" with strips or fans: lists of triangles here")
	}
	if e.immediate > 0 {
		e.report.Otherwise = append(e.report.Otherwise, plural.Of(e.immediate, "draw")+" in immediate mode: vertices from arrays here")
	}
	e.hoistRegisters()
}

// hoistUniforms moves dmp_* uniforms that are equal in all draws to the scene.
func (e *export) hoistUniforms() {
	draws := e.sceneDraws()
	if len(draws) < 2 {
		return
	}
	for _, u := range append([]scene.Uniform(nil), draws[0].Uniforms...) {
		if !strings.HasPrefix(u.Name, dmp.Prefix) {
			continue
		}
		same := func(v scene.Uniform) bool { return v.Name == u.Name && reflect.DeepEqual(v.Values, u.Values) }
		if slices.ContainsFunc(draws, func(d *scene.Draw) bool { return !slices.ContainsFunc(d.Uniforms, same) }) {
			continue
		}
		e.scene.Uniforms = append(e.scene.Uniforms, u)
		for _, d := range draws {
			d.Uniforms = slices.DeleteFunc(d.Uniforms, same)
		}
	}
}

// hoistRegisters does the same with register writes.
func (e *export) hoistRegisters() {
	draws := e.sceneDraws()
	if len(draws) < 2 {
		return
	}
	first := draws[0].Registers
	for _, d := range draws {
		if !reflect.DeepEqual(d.Registers, first) {
			return
		}
	}
	e.scene.Registers = first
	for _, d := range draws {
		d.Registers = nil
	}
}

func (e *export) save() error {
	e.report.Draws = len(e.drawn)
	text := e.scene.Write("Made from a trace by pica200 scene from.\n\n" + e.report.String())
	e.text = string(text)
	return e.out.Write(sceneFile, text)
}

func (e *export) path() string { return e.out.At(sceneFile) }
