// Package play draws scenes whose files are given as texts. The playground in
// the browser uses it, in which scenes and shaders are edited without a disk.
// Scenes implements engine.Scenes.
//
// The package is internal to pica200 and may change at any time.
package play

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"time"

	"pica200/assets/model"
	"pica200/assets/picatrace"
	"pica200/internal/gifs"
	"pica200/internal/yamldoc"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/serve/engine"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/lint"
	"pica200/shaderunit/shaders"
)

// sceneFile is the name of the text that is the scene.
const sceneFile = "scene.yaml"

// Bounds.
const (
	maxFiles = 64
	maxBytes = 512 << 10 // of all texts
)

// Scenes draws scenes; use it as engine.Options.Scenes.
type Scenes struct {
	Workers int // as in scenebuild.Options
	// Progress, if not nil, is called for each picture of a film.
	Progress func(done, total int)
}

// Diagnostic is an error or warning about a text.
type Diagnostic struct {
	File     string `json:"file"`
	Line     int    `json:"line"`   // from 1; 0 for the whole file
	Column   int    `json:"column"` // from 1, in characters; 0 for the whole line
	Length   int    `json:"length"` // in characters, at least 1
	Severity string `json:"severity"`
	Text     string `json:"text"`
	Expected string `json:"expected,omitempty"`
	Hint     string `json:"hint,omitempty"`
	Instead  string `json:"instead,omitempty"` // what a quick fix writes in its place
	Rule     string `json:"rule,omitempty"`    // of the linter
}

// The severities of diagnostics.
const (
	severityError   = "error"
	severityWarning = "warning"
)

// Picture is the value of the answer to "scene". Without a picture the answer
// has no bytes, and Width and Height are 0.
type Picture struct {
	engine.Picture
	Diagnostics []Diagnostic `json:"diagnostics"`
	Notes       []string     `json:"notes"` // of models, programs and draws
	Title       string       `json:"title"`
	About       string       `json:"about"`
	Time        float64      `json:"time"`   // default time of the scene
	Length      float64      `json:"length"` // of its animation, in seconds; 0 if it does not move
	Draws       int          `json:"draws"`
	Micros      int64        `json:"us"` // time it took to draw
}

// texts checks the contents of files.
func texts(files map[string]string) error {
	if _, ok := files[sceneFile]; !ok {
		return refuse("there is no %s", sceneFile)
	}
	if len(files) > maxFiles {
		return refuse("%d files; at most %d are possible", len(files), maxFiles)
	}
	size := 0
	for name, text := range files {
		if name == "" || len(name) > 64 || strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) || name == "." || name == ".." {
			return refuse("%q is not a valid file name here: up to 64 characters without slashes", name)
		}
		size += len(text)
	}
	if size > maxBytes {
		return refuse("the texts have %d bytes; at most %d are possible", size, maxBytes)
	}
	return nil
}

func refuse(format string, args ...any) error {
	return &engine.Error{Code: engine.CodeRequest, Text: fmt.Sprintf(format, args...)}
}

// stage reads a scene. Errors in texts become diagnostics; the stage is nil if
// it cannot be drawn.
func stage(files map[string]string) (*scenebuild.Stage, []Diagnostic) {
	found := checkShaders(files)
	s, err := scene.Parse(sceneFile, []byte(files[sceneFile]))
	if err != nil {
		return nil, append(found, diagnose(err, found)...)
	}
	s.FS = textFS(files)
	st, err := scenebuild.New(s)
	if err != nil {
		return nil, append(found, diagnose(err, found)...)
	}
	return st, found
}

// checkShaders assembles every shader separately, and returns the messages of assembler
// and linter.
func checkShaders(files map[string]string) []Diagnostic {
	found := []Diagnostic{}
	var names []string
	for name := range files {
		if strings.HasSuffix(name, ".pica") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		source := asm.Source{Name: name, Text: []byte(files[name])}
		p, said := asm.Assemble(asm.Options{}, source)
		if said.Errors() == 0 {
			said = append(said, lint.Program(p, []asm.Source{source})...)
		}
		for i := range said {
			found = append(found, ofShader(files, &said[i]))
		}
	}
	return found
}

func ofShader(files map[string]string, d *asm.Diagnostic) Diagnostic {
	out := Diagnostic{File: d.File, Line: d.Line, Column: d.Col, Length: max(d.Len, 1), Severity: severityWarning,
		Text: d.Msg, Expected: d.Expected, Hint: d.Hint, Instead: d.Instead(), Rule: d.RuleID()}
	if d.Severity == asm.Error {
		out.Severity = severityError
	}
	// The assembler counts bytes.
	if lines := strings.Split(files[d.File], "\n"); d.Col > 0 && d.Line > 0 && d.Line <= len(lines) {
		line := lines[d.Line-1]
		start := min(d.Col-1, len(line))
		end := min(start+out.Length, len(line))
		out.Column, out.Length = len([]rune(line[:start]))+1, max(len([]rune(line[start:end])), 1)
	}
	return out
}

// diagnose converts an error to diagnostics, without those already known.
func diagnose(err error, known []Diagnostic) []Diagnostic {
	var list yamldoc.Errors
	var one *yamldoc.Error
	var shader *scenebuild.ShaderError
	var out []Diagnostic
	add := func(d Diagnostic) {
		if !slices.Contains(known, d) {
			out = append(out, d)
		}
	}
	switch {
	case errors.As(err, &shader):
		for i := range shader.Diagnostics {
			if d := &shader.Diagnostics[i]; d.Severity == asm.Error {
				known := slices.ContainsFunc(known, func(k Diagnostic) bool { return k.File == d.File && k.Line == d.Line && k.Severity == severityError })
				if !known {
					add(Diagnostic{File: d.File, Line: d.Line, Column: d.Col, Length: max(d.Len, 1), Severity: severityError, Text: d.Msg, Expected: d.Expected, Hint: d.Hint})
				}
			}
		}
	case errors.As(err, &list):
		for _, e := range list {
			add(Diagnostic{File: sceneFile, Line: e.Line, Column: e.Column, Length: 1, Severity: severityError, Text: e.Msg})
		}
	case errors.As(err, &one):
		add(Diagnostic{File: sceneFile, Line: one.Line, Column: one.Column, Length: 1, Severity: severityError, Text: one.Msg})
	default:
		add(Diagnostic{File: sceneFile, Severity: severityError, Text: err.Error()})
	}
	return out
}

// at returns the time of a request: the scene's if it has none.
func at(s *scene.Scene, t *float64) (float64, error) {
	if t == nil {
		return s.Time, nil
	}
	if math.Abs(*t) > 1e6 {
		return 0, refuse("the time %v is out of range; expected -1e6 to 1e6", *t)
	}
	return *t, nil
}

// Draw draws a scene.
func (s Scenes) Draw(ctx context.Context, files map[string]string, t *float64) (*engine.Answer, error) {
	if err := texts(files); err != nil {
		return nil, err
	}
	start := time.Now()
	answer := Picture{Notes: []string{}}
	st, found := stage(files)
	answer.Diagnostics = found
	if st == nil {
		return &engine.Answer{Value: answer}, nil
	}
	answer.Title, answer.About, answer.Time = st.Scene.Name, st.Scene.About, st.Scene.Time
	answer.Length = st.Duration()
	img, names, err := s.picture(ctx, st, t)
	answer.Notes = append(answer.Notes, st.Warnings...)
	if err != nil {
		if e := new(engine.Error); errors.As(err, &e) || ctx.Err() != nil {
			return nil, err
		}
		answer.Diagnostics = append(answer.Diagnostics, diagnose(err, found)...)
		return &engine.Answer{Value: answer}, nil
	}
	size := img.Rect.Size()
	answer.Picture = engine.Picture{Width: size.X, Height: size.Y, Format: "rgba8", Max: 255, Name: "scene"}
	answer.Draws, answer.Micros = len(names), time.Since(start).Microseconds()
	return &engine.Answer{Value: answer, Data: img.Pix}, nil
}

func (s Scenes) picture(ctx context.Context, st *scenebuild.Stage, t *float64) (*image.NRGBA, []string, error) {
	when, err := at(st.Scene, t)
	if err != nil {
		return nil, nil, err
	}
	g, names, err := st.Render(ctx, when, scenebuild.Options{Workers: s.Workers})
	if err != nil {
		return nil, nil, err
	}
	defer g.Close()
	target, err := g.LastTarget()
	if err != nil {
		return nil, nil, err
	}
	img, err := pipeline.ColorImage(target)
	return img, names, err
}

// drawable returns the stage of texts without errors.
func drawable(files map[string]string) (*scenebuild.Stage, error) {
	if err := texts(files); err != nil {
		return nil, err
	}
	st, found := stage(files)
	if st != nil {
		return st, nil
	}
	for _, d := range found {
		if d.Severity == severityError {
			return nil, refuse("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Text)
		}
	}
	return nil, refuse("the scene cannot be drawn")
}

// Trace records a scene.
func (s Scenes) Trace(ctx context.Context, files map[string]string, t *float64) (*picatrace.Trace, [][]string, error) {
	data, names, err := s.record(ctx, files, t)
	if err != nil {
		return nil, nil, err
	}
	trace, err := picatrace.Parse(data)
	return trace, names, err
}

func (s Scenes) record(ctx context.Context, files map[string]string, t *float64) ([]byte, [][]string, error) {
	st, err := drawable(files)
	if err != nil {
		return nil, nil, err
	}
	when, err := at(st.Scene, t)
	if err != nil {
		return nil, nil, err
	}
	return st.RecordNamed(ctx, []float64{when}, scenebuild.Options{Workers: s.Workers})
}

// Shaders returns the sources of the programs of a scene.
func (s Scenes) Shaders(files map[string]string) [][]asm.Source {
	sc, err := scene.Parse(sceneFile, []byte(files[sceneFile]))
	if err != nil {
		return nil
	}
	return ShadersOf(sc, func(name string) ([]byte, error) { return textFS(files).read(name) })
}

// ShadersOf returns the sources of the programs of a scene, including library
// programs, grouped by programs that are assembled together. Unreadable ones
// are left out.
func ShadersOf(sc *scene.Scene, read func(name string) ([]byte, error)) (list [][]asm.Source) {
	add := func(names []string, read func(name string) ([]byte, error)) {
		var group []asm.Source
		for _, name := range names {
			text, err := read(name)
			if err != nil {
				return
			}
			group = append(group, asm.Source{Name: name, Text: text})
		}
		if group != nil {
			list = append(list, group)
		}
	}
	for i := range sc.Programs {
		add(sc.Programs[i].Sources, read)
	}
	for _, p := range shaders.Programs() {
		add(p.Sources, shaders.Source)
	}
	return list
}

// Make makes a file from a scene. what is zip (all files), png, gif (its
// animation), trace, shbin and a colon with the name of a program's source, or
// model and a colon with that of a model (the scene that shows it). A source is
// assembled together with the geometry or vertex shader of the same name.
func (s Scenes) Make(ctx context.Context, what string, files map[string]string, t *float64) (*engine.Answer, error) {
	if err := texts(files); err != nil {
		return nil, err
	}
	name, data, err := s.file(ctx, what, files, t)
	if err != nil {
		return nil, err
	}
	return &engine.Answer{Value: map[string]any{"name": name}, Data: data}, nil
}

func (s Scenes) file(ctx context.Context, what string, files map[string]string, t *float64) (name string, data []byte, err error) {
	switch what {
	case "zip":
		data, err = archive(files)
		return "scene.zip", data, err
	case "trace":
		data, _, err = s.record(ctx, files, t)
		return "scene.ctf", data, err
	case "gif":
		data, err = s.film(ctx, files)
		return "scene.gif", data, err
	case "png":
		st, err := drawable(files)
		if err != nil {
			return "", nil, err
		}
		img, _, err := s.picture(ctx, st, t)
		if err != nil {
			return "", nil, err
		}
		var out bytes.Buffer
		err = png.Encode(&out, img)
		return "scene.png", out.Bytes(), err
	}
	if file, ok := strings.CutPrefix(what, "model:"); ok {
		m, err := model.Read(textFS(files), file, file)
		if err != nil {
			return "", nil, refuse("%v", err)
		}
		sc, err := scenebuild.ModelScene(m, file)
		if err != nil {
			return "", nil, refuse("%v", err)
		}
		return sceneFile, sc.Write(""), nil
	}
	source, ok := strings.CutPrefix(what, "shbin:")
	if !ok {
		return "", nil, refuse("nothing of the kind %q can be made; there are zip, png, gif, trace, shbin:SOURCE and model:FILE", what)
	}
	return binary(source, files)
}

// The pictures of a film.
const (
	filmRate = 10 // a second
	filmMost = 100
)

// film makes an animated GIF of a scene's animation, of at most filmMost
// pictures.
func (s Scenes) film(ctx context.Context, files map[string]string) ([]byte, error) {
	st, err := drawable(files)
	if err != nil {
		return nil, err
	}
	length := st.Duration()
	if length <= 0 {
		return nil, refuse("the scene does not move; a film is of one that does")
	}
	n := min(max(int(length*filmRate), 2), filmMost)
	delay := max(int(math.Round(100*length/float64(n))), 2)
	var frames gifs.Frames
	var out, last []byte
	shown := 0 // of the current picture, in hundredths of a second
	for i := range n {
		when := length * float64(i) / float64(n)
		img, _, err := s.picture(ctx, st, &when)
		if err != nil {
			return nil, err
		}
		flat := image.NewRGBA(img.Rect)
		for k := 0; k < len(flat.Pix); k += 4 {
			copy(flat.Pix[k:k+3], img.Pix[k:k+3])
			flat.Pix[k+3] = 255
		}
		frames.Size = flat.Rect.Size()
		data, err := frames.Encode(flat)
		if err != nil {
			return nil, err
		}
		if data != nil {
			if last == nil {
				out = frames.Head()
			} else {
				out = append(out, frames.Picture(last, shown)...)
			}
			last, shown = data, 0
		}
		shown += delay
		if s.Progress != nil {
			s.Progress(i+1, n)
		}
	}
	return append(append(out, frames.Picture(last, shown)...), frames.Tail()...), nil
}

// binary assembles a source, with its other half.
func binary(source string, files map[string]string) (name string, data []byte, err error) {
	if _, ok := files[source]; !ok {
		return "", nil, refuse("there is no source %q", source)
	}
	stem, _, _ := strings.Cut(source, ".")
	list := []string{stem + ".v.pica", stem + ".g.pica"}
	if !slices.Contains(list, source) {
		list, stem = []string{source}, strings.TrimSuffix(source, ".pica")
	}
	var sources []asm.Source
	for _, n := range list {
		if text, ok := files[n]; ok {
			sources = append(sources, asm.Source{Name: n, Text: []byte(text)})
		}
	}
	p, said := asm.Assemble(asm.Options{}, sources...)
	if err := said.Err(); err != nil {
		return "", nil, refuse("%s", strings.TrimSpace(err.Error()))
	}
	data, err = p.Bytes()
	return stem + ".shbin", data, err
}

// archive makes a ZIP file of texts. Equal texts give equal bytes.
func archive(files map[string]string) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		f, err := w.CreateHeader(&zip.FileHeader{Name: n, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		data, err := textFS(files).read(n)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
