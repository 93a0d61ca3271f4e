package scenebuild

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/model"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/scene"
	"pica200/scene/shaderfit"
)

// attributes binds the part's streams to the program's inputs, in this order of precedence: the mesh's stream for the register, the
// scene's setting, the guess for the program, the input's name and register.
func (d *drawing) attributes(ctx context.Context, w *scene.Draw, prog *loadedProgram, linked *gl.Program, part *model.Part, toWorld mgl64.Mat4) error {
	var color *mgl32.Vec4
	if v := w.Color.At(d.t); v != nil {
		rgba := mgl.Narrow4(mgl64.Vec4(v))
		color = &rgba
	}
	names := linked.Inputs()
	for reg := range 16 {
		if linked.InputRegisters()>>reg&1 == 0 {
			continue
		}
		input := names[0]
		names = names[1:]
		s, ok := generic(part, reg)
		key := fmt.Sprintf("generic%d", reg)
		if !ok {
			found := prog.fitInput(reg)
			name := prog.streams[reg]
			if name == "" && found != nil {
				if found.Stream == "" {
					d.c.AttributeConst(input, mgl.Narrow4(found.Constant))
					continue
				}
				name = found.Stream
			}
			if name == "" {
				name = streamName(&prog.scene, input, reg)
			}
			if name == "" {
				return fmt.Errorf("input %s (v%d) of program %s has no stream; name one under attributes", input, reg, prog.scene.Name)
			}
			if prog.scene.Library == "skinned" && (name == "tangent" && !d.bumps || strings.HasPrefix(name, "texcoord") && reg >= 8 && !d.several) {
				d.c.AttributeConst(input, defaults[name])
				continue
			}
			key = name
			switch name {
			case "tangent":
				part.MakeTangents()
			case "ndc": // depends on camera and transformation
				key = fmt.Sprint("ndc", d.matrices(toWorld)[shaderfit.ModelViewProjection])
			}
			s = d.stream(part, name, color, toWorld)
			if name == "color" && s.at == nil && color == nil && part.Normals != nil && prog.scene.Guess == "all" {
				key, s = "shade", shade(part) // a bare shader shows the form of the model
			}
			if found != nil && prog.streams[reg] == "" && found.Fit != nil {
				s = s.fitted(found.Fit)
				key += fmt.Sprint(*found.Fit)
			}
		}
		if s.at == nil {
			d.c.AttributeConst(input, s.always)
			continue
		}
		b, err := d.buffer(ctx, bufferKey{part, key}, func() []byte { return s.pack(len(part.Positions)) })
		if err != nil {
			return err
		}
		if err := d.c.Attribute(input, b, gl.Attrib{Type: pica.AttribFloat, Size: s.size}); err != nil {
			return err
		}
	}
	return nil
}

// fitInput returns the guess for an input, or nil.
func (p *loadedProgram) fitInput(reg int) *shaderfit.Input {
	if p.fit == nil {
		return nil
	}
	for i := range p.fit.Inputs {
		if in := &p.fit.Inputs[i]; in.Reg == reg {
			return in
		}
	}
	return nil
}

// stream returns a part's stream by name; "ndc" is computed from positions and camera.
func (d *drawing) stream(part *model.Part, name string, color *mgl32.Vec4, toWorld mgl64.Mat4) stream {
	if name != "ndc" {
		return streamOf(part, name, color)
	}
	m := d.matrices(toWorld)[shaderfit.ModelViewProjection]
	return stream{size: 4, at: func(i int) mgl32.Vec4 {
		v := mgl.Apply(m, mgl.Wide3(part.Positions[i]).Vec4(1))
		if v[3] == 0 {
			return mgl32.Vec4{0, 0, 0, 1}
		}
		return mgl32.Vec4{float32(v[0] / v[3]), float32(v[1] / v[3]), float32(v[2] / v[3]), 1}
	}}
}

// shade returns colours by direction: red to the right, green upwards, blue to the front.
func shade(part *model.Part) stream {
	return stream{size: 4, at: func(i int) mgl32.Vec4 {
		n := part.Normals[i]
		return mgl32.Vec4{0.5 + float32(n[0]*0.45), 0.5 + float32(n[1]*0.45), 0.5 + float32(n[2]*0.45), 1}
	}}
}

// fitted returns the stream with m applied to its values.
func (s stream) fitted(m *mgl64.Mat4) stream {
	through := func(v mgl32.Vec4) mgl32.Vec4 {
		return mgl.Narrow4(mgl.Apply(*m, mgl.Wide3(v.Vec3()).Vec4(float64(v[3]))))
	}
	if s.at == nil {
		s.always = through(s.always)
		return s
	}
	if row := m.Row(2); row != (mgl64.Vec4{}) && row != (mgl64.Vec4{2: row[2]}) {
		s.size = max(s.size, 3) // for components that the stream lacks
	}
	at := s.at
	s.at = func(i int) mgl32.Vec4 { return through(at(i)) }
	return s
}
