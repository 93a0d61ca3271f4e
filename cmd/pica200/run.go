package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/trial"
)

type runCmd struct {
	Shader string `arg:"" help:"Source (.pica) or shader binary, - for standard input."`
	Input  string `arg:"" optional:"" placeholder:"VERTICES" help:"Vertices as JSON or CSV, - for standard input. Without it: one vertex of (0, 0, 0, 1) in all inputs."`

	Uniform []string `short:"u" sep:"none" placeholder:"NAME=VALUES" help:"Set a uniform: a name or register, and numbers separated by commas. May be repeated."`
	Entry   int      `default:"0" placeholder:"N" help:"Executable to run, from 0."`
	Number  int      `default:"0" placeholder:"N" help:"Number of the shader, from 0, in a file with several."`
	Steps   int      `default:"1000000" placeholder:"N" help:"Number of instructions after which a run is stopped."`

	Trace    bool `short:"t" help:"Print every executed instruction with operands, results, address registers, flags and stacks."`
	Count    bool `help:"Print how often instructions were executed, by operation and by address."`
	JSON     bool `name:"json" help:"Write the outputs as JSON."`
	Extended bool `help:"The source is in the extended language."`
}

func (runCmd) Help() string {
	return `Runs a shader on vertices and prints the outputs with their meaning
(position, color, ...). Input vertices and uniforms come from a file.

As JSON:

  {"uniforms": {"projection": [[1,0,0,0], ...], "lit": true, "i0": [3,0,1,0]},
   "vertices": [{"position": [0, 0, 0], "v1": [1, "inf", "nan", 0]}, ...]}

As CSV: a line with the columns (position.x,position.y,v1.w), then a line for
each vertex.
Numbers may be inf, -inf, nan, or f24:3F0000 for the bits of a float24. Missing
components are 0, 0, 0, 1.

Examples:

  pica200 run vshader.v.pica vertices.json
  pica200 run vshader.shbin points.csv -u projection=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1
  pica200 run vshader.v.pica --trace
  pica200 run vshader.v.pica vertices.csv --count`
}

func (c runCmd) Run(con *console) error {
	file, err := c.program(con)
	if err != nil {
		return err
	}
	s, err := trial.Load(file, c.Entry)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Shader), err)
	}
	s.MaxSteps = c.Steps
	vertices, err := c.vertices(con, s)
	if err != nil {
		return err
	}
	for _, u := range c.Uniform {
		if err := setUniform(s, u); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(con.out)
	defer w.Flush()
	var counts *trial.Counts
	if c.Count {
		counts = &trial.Counts{}
	}
	var results []trial.Result
	for i := range vertices {
		var trace func(trial.Record)
		if c.Trace {
			fmt.Fprintf(w, "vertex %d\n", i)
			trace = func(r trial.Record) { fmt.Fprintln(w, " ", s.TraceLine(r)) }
		}
		r, err := s.Run(&vertices[i], trace, counts)
		if !c.JSON {
			printResult(w, i, r)
		} else {
			results = append(results, r)
		}
		if err != nil {
			return fmt.Errorf("%s: vertex %d: %w", inputName(c.Shader), i, err)
		}
	}
	if c.JSON {
		if err := writeResults(w, results); err != nil {
			return err
		}
	}
	if c.Count {
		printCounts(w, s, counts, len(vertices))
	}
	return nil
}

// program assembles a source or reads a binary.
func (c runCmd) program(con *console) (*shbin.File, error) {
	data, err := con.read(c.Shader)
	if err != nil {
		return nil, err
	}
	name := inputName(c.Shader)
	if strings.HasSuffix(c.Shader, ".pica") || c.Shader == "-" && !isBinary(data) {
		prog, diags := asm.Assemble(asm.Options{Extended: c.Extended}, asm.SplitSources(name, data)...)
		if err := report(con, diags, false); err != nil {
			return nil, err
		}
		return prog.File, nil
	}
	_, found, err := container.Extract(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if c.Number < 0 || c.Number >= len(found) {
		return nil, fmt.Errorf("%s: no shader %d, the file holds %d", name, c.Number, len(found))
	}
	if found[c.Number].Object {
		o, err := shbin.ParseObject(found[c.Number].Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return link.Objects(link.Options{}, link.Input{Name: name, Object: o})
	}
	file, err := shbin.Parse(found[c.Number].Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, nil
}

func (c runCmd) vertices(con *console, s *trial.Shader) ([]trial.Vertex, error) {
	if c.Input == "" {
		return s.ReadJSON([]byte(`[{}]`))
	}
	data, err := con.read(c.Input)
	if err != nil {
		return nil, err
	}
	var out []trial.Vertex
	if b := bytes.TrimSpace(data); strings.HasSuffix(c.Input, ".json") || len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		out, err = s.ReadJSON(data)
	} else {
		out, err = s.ReadCSV(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(c.Input), err)
	}
	return out, nil
}

func setUniform(s *trial.Shader, text string) error {
	name, list, ok := strings.Cut(text, "=")
	if !ok {
		return usagef("--uniform %q: NAME=VALUES expected", text)
	}
	var values []float64
	for _, f := range strings.Split(list, ",") {
		v, err := trial.ParseNumber(f)
		if err != nil {
			return usagef("--uniform %s: %v", name, err)
		}
		values = append(values, v)
	}
	if err := s.SetUniform(strings.TrimSpace(name), values); err != nil {
		return fmt.Errorf("--uniform: %w", err)
	}
	return nil
}

func printResult(w io.Writer, i int, r trial.Result) {
	fmt.Fprintf(w, "vertex %d", i)
	if r.Steps > 0 {
		fmt.Fprintf(w, ", %d instructions", r.Steps)
	}
	fmt.Fprintln(w)
	for _, o := range r.Outputs {
		fmt.Fprintf(w, "  %s\n", o)
	}
	for _, e := range r.Emitted {
		flags := ""
		if e.Primitive {
			flags += ", primitive"
		}
		if e.Winding {
			flags += ", inverted"
		}
		fmt.Fprintf(w, "  emitted to slot %d%s\n", e.Slot, flags)
		for _, o := range e.Outputs {
			fmt.Fprintf(w, "    %s\n", o)
		}
	}
}

// jsonFloat is a number for JSON; infinities and NaN become strings.
type jsonFloat float32

func (f jsonFloat) MarshalJSON() ([]byte, error) {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		return json.Marshal(trial.FormatFloat(float32(f)))
	}
	return []byte(trial.FormatFloat(float32(f))), nil
}

type outputJSON struct {
	Meaning    string      `json:"meaning"`
	Register   string      `json:"register"`
	Components string      `json:"components"`
	Value      []jsonFloat `json:"value"`
}

type emittedJSON struct {
	Slot      int          `json:"slot"`
	Primitive bool         `json:"primitive"`
	Inverted  bool         `json:"inverted"`
	Outputs   []outputJSON `json:"outputs"`
}

type resultJSON struct {
	Instructions int           `json:"instructions,omitempty"`
	Outputs      []outputJSON  `json:"outputs,omitempty"`
	Emitted      []emittedJSON `json:"emitted,omitempty"`
}

func outputsJSON(list []trial.Output) []outputJSON {
	out := []outputJSON{}
	for _, o := range list {
		j := outputJSON{Meaning: o.Meaning, Register: fmt.Sprintf("o%d", o.Reg)}
		for k, c := range o.Components {
			j.Components += "xyzw"[c : c+1]
			j.Value = append(j.Value, jsonFloat(o.Value[k]))
		}
		out = append(out, j)
	}
	return out
}

func writeResults(w io.Writer, results []trial.Result) error {
	list := make([]resultJSON, len(results))
	for i, r := range results {
		list[i] = resultJSON{Instructions: r.Steps, Outputs: outputsJSON(r.Outputs)}
		for _, e := range r.Emitted {
			list[i].Emitted = append(list[i].Emitted, emittedJSON{e.Slot, e.Primitive, e.Winding, outputsJSON(e.Outputs)})
		}
	}
	return printJSON(w, list)
}

func printCounts(w io.Writer, s *trial.Shader, c *trial.Counts, vertices int) {
	fmt.Fprintf(w, "%d instructions for %d vertices\n", c.Total, vertices)
	for _, o := range c.ByOpcode(s.Setup) {
		fmt.Fprintf(w, "  %8d  %s\n", o.N, o.Op)
	}
	fmt.Fprintln(w, "by address")
	for at, n := range c.Addr {
		if n > 0 {
			in := shaderunit.Decode(s.Setup.Code(at))
			fmt.Fprintf(w, "  %8d  %03X  %s\n", n, at, in.TextNamed(disasm.Plain(in, s.Setup.Desc(int(in.Desc))), s.Namer()))
		}
	}
}
