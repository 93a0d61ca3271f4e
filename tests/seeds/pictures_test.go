package seeds

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// painter passes all inputs of the fragment stage from uniforms, so that the square has one colour.
const painter = `
.fvec paint, coord0, slope, coord1, coord2, quaternion, eye
.in position v0
.out p position o0
.out c color o1
.out t0 texcoord0 o2.xy
.out t0w texcoord0w o2.z
.out t1 texcoord1 o3.xy
.out t2 texcoord2 o4.xy
.out q normalquat o5
.out v view o6.xyz
.proc main
	mov p, position
	mov c, paint
	mov r0, coord0
	mad t0.xy, position, slope, r0
	mov t0w.z, r0
	mov t1.xy, coord1
	mov t2.xy, coord2
	mov q, quaternion
	mov v.xyz, eye
	end
.end
`

var painterProgram = sync.OnceValues(func() (*gl.Program, error) {
	return gl.CompileProgram(asm.Source{Name: "painter", Text: []byte(painter)})
})

// Settings shared by pictures.
const (
	nothing = "every=dmp_FragmentLightSource[%d].enabled=false; every=dmp_FragmentLightSource[%d].diffuse=0,0,0,1; every=dmp_FragmentLightSource[%d].specular0=0,0,0,1; " +
		"dmp_FragmentMaterial.ambient=1,1,1,1; dmp_FragmentMaterial.diffuse=1,1,1,1; dmp_FragmentMaterial.specular0=1,1,1,1; dmp_FragmentMaterial.specular1=1,1,1,1; " +
		"dmp_FragmentLighting.ambient=0,0,0,1; dmp_FragmentMaterial.emission=0,0,0,1; dmp_FragmentLighting.enabled=true; dmp_FragmentLightSource[%d].enabled=true; "
	primary   = nothing + "dmp_TexEnv[0].srcRgb=fragment_primary_color,fragment_primary_color,fragment_primary_color; "
	secondary = nothing + "dmp_TexEnv[0].srcRgb=fragment_secondary_color,fragment_secondary_color,fragment_secondary_color; dmp_LightEnv.config=config7; " +
		"every=dmp_LightEnv.absLutInput%T=true; "
	stage0 = "dmp_TexEnv[0].srcRgb=GL_CONSTANT,GL_CONSTANT,GL_CONSTANT; dmp_TexEnv[0].srcAlpha=GL_CONSTANT,GL_CONSTANT,GL_CONSTANT; "
)

// picture is the result of setting a uniform: for each value the colour of the square as RRGGBBAA, or its depth after "depth".
type picture struct {
	name  string
	scene string
	steps []string // "value: colour"
}

var pictures = map[string]*picture{}

// canvas draws the square with the given settings.
func canvas(t *testing.T, settings []string, i int) drawing {
	p := testkit.Must(painterProgram())(t)
	vertex := map[string][4]float32{"paint": {0.8, 0.6, 0.4, 1}, "coord0": {0.25, 0.25, 0.5, 0}, "slope": {}, "coord1": {0.25, 0.25, 0, 0}, "coord2": {0.75, 0.25, 0, 0}, "quaternion": {0, 0, 0, 1}, "eye": {0, 0, 1, 0}}
	clear, z, compare := [4]float32{}, float32(-0.5), pica.CompareAlways
	var sets []string
	for _, set := range strings.Split(strings.Join(settings, ";"), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(set), "=")
		v, isInput := vertex[name]
		switch {
		case isInput || name == "clear":
			testkit.Must(fmt.Sscanf(value, "%f,%f,%f,%f", &v[0], &v[1], &v[2], &v[3]))(t, set)
			if isInput {
				vertex[name] = v
			} else {
				clear = v
			}
		case name == "z":
			testkit.Must(fmt.Sscanf(value, "%f", &z))(t, set)
		case name == "depthfunc":
			compare = pica.CompareLess
		case strings.Contains(set, "%T"):
			for _, table := range lightTables {
				sets = append(sets, strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(set), "every="), "%T", table))
			}
		default:
			sets = append(sets, set)
		}
	}
	d := square(t, p, clear, z)
	d.c.DepthTest(true, compare)
	for unit, colors := range texels {
		img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
		for k := range 64 {
			c := colors[k%8/4]
			img.SetNRGBA(k%8, k/8, color.NRGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), uint8(c[3])})
		}
		texture := testkit.Must(d.c.NewTexture(t.Context(), img, pica.TextureFormatRGBA8, 1))(t)
		require.NoError(t, d.c.BindTexture(unit, texture))
	}
	apply(t, d.c.Uniforms, strings.Join(sets, ";"), i)
	for name, v := range vertex {
		require.NoError(t, p.SetFloat(name, v))
	}
	require.NoError(t, d.c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	return d
}

// see draws the pictures of a uniform and compares them.
func (u *uniform) see(t *testing.T, i int) {
	p := pictures[u.name]
	if p == nil {
		t.Errorf("%s has no picture", u.name)
		return
	}
	colors := map[string]bool{}
	for _, step := range p.steps {
		value, want, _ := strings.Cut(step, ": ")
		d := canvas(t, []string{p.scene, u.name + "=" + value}, i)
		model := sceneOf(p.scene+u.name+"="+value, i)
		var got string
		if strings.HasPrefix(want, "depth ") {
			depth := testkit.Must(d.target.ReadDepth(t.Context()))(t)
			got = fmt.Sprintf("depth %04X", depth.Gray16At(4, 4).Y)
			require.Equal(t, fmt.Sprintf("depth %04X", int(model.depth()*0xFFFF)), got, "%s = %s, the model", u.name, value)
		} else {
			c := d.pixel(t, 1, 4)
			got = fmt.Sprintf("%02X%02X%02X%02X", c.R, c.G, c.B, c.A)
			says := model.color()
			for k, x := range []uint8{c.R, c.G, c.B, c.A} {
				if math.Abs(float64(x)-says[k]) > 2 {
					t.Errorf("%s = %s: %s, the model says %.1f", u.name, value, got, says)
					break
				}
			}
		}
		colors[got] = true
		if got != want {
			t.Errorf("%s = %s: %s, want %s", u.name, value, got, want)
		}
	}
	require.Greater(t, len(colors), 1, "%s shows nothing", u.name)
}
