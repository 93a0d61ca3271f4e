// Command armmodel writes testdata/scenes/arm.gltf, the skinned model of the
// gallery: a tapering arm of rings of vertices, a chain of joints along it, and
// an animation that bends every joint a little later than the one below.
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

const (
	joints  = 10  // along the arm, from its foot
	rings   = 37  // vertices in a ring; the first is repeated for the texture
	sides   = 14  // vertices of a ring; the first stands twice, for the texture
	height  = 1.8 // of the arm
	radius  = 0.2 // at the foot
	seconds = 4.0 // of the animation, which repeats
	keys    = 17  // of it
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: armmodel FILE.gltf")
		os.Exit(2)
	}
	doc := document()
	// A single readable file: the buffer is embedded as text.
	for _, b := range doc.Buffers {
		b.EmbeddedResource()
	}
	if err := gltf.Save(doc, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "armmodel:", err)
		os.Exit(1)
	}
}

func document() *gltf.Document {
	doc := gltf.NewDocument()
	doc.Asset.Generator = "pica200 internal/gen/armmodel"
	mesh(doc)
	skeleton(doc)
	animate(doc)
	return doc
}

// round keeps the file the same on every processor: sine and cosine may differ
// in their last bit.
func round(x float64) float32 { return float32(math.Round(x*1e5) / 1e5) }

// light converts an sRGB value to the linear value in a file.
func light(shown float64) float32 { return round(math.Pow((shown+0.055)/1.055, 2.4)) }

// thickness is the arm's radius at u, 0 at the foot and 1 at the tip.
func thickness(u float64) float64 {
	return radius * (0.3 + float64(0.7*math.Pow(1-u, 0.7))) * math.Sqrt(1-math.Pow(u, 12))
}

func mesh(doc *gltf.Document) {
	var position, normal [][3]float32
	var color [][4]float32
	var joint [][4]uint8
	var weight [][4]float32
	var index []uint16
	for r := range rings {
		u := float64(r) / (rings - 1)
		slope := (thickness(math.Min(u+0.01, 1)) - thickness(math.Max(u-0.01, 0))) / (0.02 * height)
		at := u * (joints - 1)
		low := min(int(at), joints-2)
		for s := range sides + 1 {
			a := 2 * math.Pi * float64(s%sides) / sides
			x, z := math.Cos(a), math.Sin(a)
			position = append(position, [3]float32{round(x * thickness(u)), round(u * height), round(z * thickness(u))})
			n := math.Sqrt(1 + slope*slope)
			normal = append(normal, [3]float32{round(x / n), round(-slope / n), round(z / n)})
			// From dark red over orange to a light tip, with stripes.
			t := u + float64(0.06*math.Cos(12*math.Pi*u))
			color = append(color, [4]float32{light(0.62 + 0.36*t), light(0.12 + 0.62*t*t), light(0.2 + 0.3*t), 1})
			joint = append(joint, [4]uint8{uint8(low), uint8(low + 1), 0, 0})
			w := round(at - float64(low))
			weight = append(weight, [4]float32{1 - w, w, 0, 0})
			if r > 0 && s > 0 {
				i := uint16(len(position) - 1)
				below := i - (sides + 1)
				index = append(index, below-1, i-1, i, below-1, i, below)
			}
		}
	}
	p := &gltf.Primitive{Indices: gltf.Index(modeler.WriteIndices(doc, index)), Material: gltf.Index(0), Attributes: gltf.PrimitiveAttributes{
		gltf.POSITION: modeler.WritePosition(doc, position), gltf.NORMAL: modeler.WriteNormal(doc, normal), gltf.COLOR_0: modeler.WriteColor(doc, color),
		gltf.JOINTS_0: modeler.WriteJoints(doc, joint), gltf.WEIGHTS_0: modeler.WriteWeights(doc, weight),
	}}
	doc.Materials = []*gltf.Material{{Name: "skin", PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
		MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(0.35)}}}
	doc.Meshes = []*gltf.Mesh{{Name: "arm", Primitives: []*gltf.Primitive{p}}}
}

// skeleton adds the joints, each a child of the previous one, and the skin.
func skeleton(doc *gltf.Document) {
	const step = height / (joints - 1)
	doc.Nodes = []*gltf.Node{{Name: "arm", Mesh: gltf.Index(0), Skin: gltf.Index(0)}}
	skin := &gltf.Skin{Name: "arm"}
	var inverse [][4][4]float32
	for j := range joints {
		n := &gltf.Node{Name: fmt.Sprintf("joint %d", j), Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
		if j > 0 {
			n.Translation = [3]float64{0, step, 0}
		}
		if j < joints-1 {
			n.Children = []int{j + 2}
		}
		doc.Nodes = append(doc.Nodes, n)
		skin.Joints = append(skin.Joints, j+1)
		inverse = append(inverse, [4][4]float32{{1, 0, 0, 0}, {0, 1, 0, round(-step * float64(j))}, {0, 0, 1, 0}, {0, 0, 0, 1}})
	}
	skin.InverseBindMatrices = gltf.Index(modeler.WriteAccessor(doc, gltf.TargetNone, inverse))
	doc.Skins = []*gltf.Skin{skin}
	doc.Scenes[0].Nodes = []int{0, 1}
}

// animate moves a wave up the joints.
func animate(doc *gltf.Document) {
	var times []float32
	for k := range keys {
		times = append(times, float32(seconds)*float32(k)/(keys-1))
	}
	input := modeler.WriteAccessor(doc, gltf.TargetNone, times)
	doc.Accessors[input].Min, doc.Accessors[input].Max = []float64{0}, []float64{seconds}
	a := &gltf.Animation{Name: "sway"}
	for j := range joints {
		var turn [][4]float32
		for k := range keys {
			t := 2 * math.Pi * (float64(k)/(keys-1) - float64(j)*0.09)
			x, z := (0.05+0.012*float64(j))*math.Sin(t), 0.05+(0.02+0.01*float64(j))*math.Cos(t)
			// Half angles are small, so that the order of both rotations hardly matters.
			w := math.Sqrt(1 - float64(x*x) - float64(z*z))
			turn = append(turn, [4]float32{round(x), 0, round(z), round(w)})
		}
		a.Samplers = append(a.Samplers, &gltf.AnimationSampler{Input: input, Output: modeler.WriteAccessor(doc, gltf.TargetNone, turn)})
		a.Channels = append(a.Channels, &gltf.AnimationChannel{Sampler: j, Target: gltf.AnimationChannelTarget{Node: gltf.Index(j + 1), Path: gltf.TRSRotation}})
	}
	doc.Animations = []*gltf.Animation{a}
}
