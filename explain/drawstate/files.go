package drawstate

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strconv"

	"pica200/pipeline"
	"pica200/shaderunit"
)

// Files passes the draw to write as files: draw.txt and draw.json, the programs
// as source, vertices before and after the vertex shader as CSV, textures,
// tables and the target after the draw as PNG.
func (s *State) Files(ctx context.Context, write func(name string, data []byte) error) error {
	var text bytes.Buffer
	inputs, outputs := s.inputs(), s.outputs(ctx) // which add notes
	if err := ctx.Err(); err != nil {
		return err
	}
	sources := map[string]*shaderunit.Setup{"vertex.pica": &s.Input.Vertex}
	if s.Record.GeometryEntry >= 0 {
		sources["geometry.pica"] = &s.Input.Geometry
	}
	for name, unit := range sources {
		source, err := Source(unit, name == "geometry.pica")
		if err != nil {
			s.note("%s: %v", name, err)
			continue
		}
		if err := write(name, []byte(source)); err != nil {
			return err
		}
	}
	s.WriteText(&text)
	if err := write("draw.txt", text.Bytes()); err != nil {
		return err
	}
	encoded, err := json.MarshalIndent(s.JSON(), "", "  ")
	if err != nil {
		return err
	}
	if err := write("draw.json", append(encoded, '\n')); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{"inputs.csv", inputs}, {"outputs.csv", outputs}} {
		if f.data == nil {
			continue
		}
		if err := write(f.name, f.data); err != nil {
			return err
		}
	}
	return s.pictures(write)
}

// inputs returns CSV with a row for each vertex: its number and the values of
// the input registers.
func (s *State) inputs() []byte {
	if s.Vertices == nil {
		return nil
	}
	var columns []string
	values := make([][]float32, s.Vertices.Count)
	for reg, in := range s.Vertices.Inputs {
		if in == nil {
			continue
		}
		for _, c := range "xyzw" {
			columns = append(columns, fmt.Sprintf("v%d.%c", reg, c))
		}
		for i := range values {
			values[i] = append(values[i], in[i][:]...)
		}
	}
	return table(columns, values)
}

func (s *State) outputs(ctx context.Context) []byte {
	if s.Vertices == nil {
		return nil
	}
	columns, values, err := s.Outputs(ctx)
	if err != nil {
		s.note("outputs.csv ends early: %v", err)
	}
	return table(columns, values)
}

// table returns CSV with a row for each vertex.
func table(columns []string, values [][]float32) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(append([]string{"vertex"}, columns...)) // to memory
	for i, list := range values {
		row := []string{strconv.Itoa(i)}
		for _, x := range list {
			row = append(row, strconv.FormatFloat(float64(x), 'g', -1, 32))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return b.Bytes()
}

func (s *State) pictures(write func(name string, data []byte) error) error {
	put := func(name string, img image.Image) error {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			return err
		}
		return write(name, b.Bytes())
	}
	for i := range s.Textures {
		if err := put(s.Textures[i].Name()+".png", s.Textures[i].Image); err != nil {
			return err
		}
	}
	for i, t := range TablesOf(&s.Input.Tables) {
		if t.Used() > 0 {
			if err := put(fmt.Sprintf("table%02d.png", i), t.picture()); err != nil {
				return err
			}
		}
	}
	if s.Target == nil {
		return nil
	}
	if img, err := pipeline.ColorImage(s.Target); err == nil {
		if err := put("color.png", img); err != nil {
			return err
		}
	}
	if img, err := pipeline.DepthImage(s.Target); err == nil {
		return put("depth.png", img)
	}
	return nil
}

// picture draws the table: numbers as a curve, from 0 at the bottom to 1 at the
// top; colours as a strip.
func (t *Table) picture() image.Image {
	const height = 128
	img := image.NewNRGBA(image.Rect(0, 0, len(t.Words), height))
	for x, w := range t.Words {
		top := height
		c := color.NRGBA{uint8(w), uint8(w >> 8), uint8(w >> 16), 255}
		if t.Value != nil {
			top = int(t.Value(w) * (height - 1))
			c = color.NRGBA{32, 96, 192, 255}
		}
		for y := range height {
			if height-1-y <= top {
				img.SetNRGBA(x, y, c)
			} else {
				img.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
			}
		}
	}
	return img
}
