package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"pica200/internal/lazy"
	"pica200/internal/plural"
	"pica200/serve/engine"
	"pica200/shaderunit/asm"
)

// Engine is the engine for browsers: serve/wasm as WebAssembly, and the script
// of the Go distribution that it was built with.
type Engine struct {
	Wasm []byte // packed with gzip
	Exec []byte // wasm_exec.js
}

// ErrNoEngine is returned if there is no engine for browsers: programs of a
// release have one embedded, and a program in the folder bin of a checkout
// builds one.
var ErrNoEngine = errors.New("this program has no engine for browsers; programs of \"make release\" do, and bin/pica200 in a checkout builds one")

// Bug is a frame to send to another person.
type Bug struct {
	Name      string
	Recording []byte         // of the one frame
	Names     []string       // of its draws, where they have any
	Shaders   [][]asm.Source // that its programs may have been assembled from
	Note      string         // text for the reader
	At        string         // what is shown first, as in the address of the page: "draw=3&panel=shader"
}

// Export writes the debugger, the engine and a recording as one HTML file. It
// can be opened from a disk and makes no requests; its Content-Security-Policy
// allows none.
func Export(ctx context.Context, w io.Writer, e *Engine, b *Bug) error {
	if e == nil {
		return ErrNoEngine
	}
	known := &engine.Known{Names: b.Names}
	for _, group := range b.Shaders {
		known.Add(group)
	}
	first, rest, err := answers(ctx, b, known)
	if err != nil {
		return err
	}
	picture, draws, summary, err := still(ctx, b, known)
	if err != nil {
		return err
	}
	what := fmt.Sprintf(", drawn by pica200, a model of the Nintendo 3DS's GPU in software: %s. Choose a draw in the list to see what it did, "+
		"or click a pixel of the picture to see what gave it its colour.", plural.Of(draws, "draw"))
	more, err := json.Marshal(map[string]any{"known": known, "note": b.Note, "at": b.At, "what": what}) // without <
	if err != nil {
		return err
	}
	page, err := fs.ReadFile(servedPage(), "index.html")
	if err != nil {
		return err
	}
	style, err := fs.ReadFile(servedPage(), "style.css")
	if err != nil {
		return err
	}
	worker, err := fs.ReadFile(servedPage(), "worker.js")
	if err != nil {
		return err
	}
	script, err := oneScript("main.js")
	if err != nil {
		return err
	}
	for what, text := range map[string][]byte{"wasm_exec.js": e.Exec, "worker.js": worker, "the page": []byte(script)} {
		if bytes.Contains(bytes.ToLower(text), []byte("</script")) {
			return fmt.Errorf("%s has </script in it and cannot stand in a page", what)
		}
	}
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	policy := "default-src 'none'; script-src " + sum(script) + " blob: 'wasm-unsafe-eval'; worker-src blob:; style-src " + sum(string(style)) +
		"; img-src blob: data:; base-uri 'none'; form-action 'none'"
	said := ""
	if b.Note != "" {
		said = "<p>The sender writes:</p>\n<pre>" + html.EscapeString(b.Note) + "</pre>\n"
	}
	text, err := withStill(string(page), fmt.Sprintf("<h1>%s</h1>\n%s<p>This is one frame, drawn by pica200, a model of the Nintendo 3DS's GPU in software: %s.</p>\n<img alt=\"What the frame shows\" src=\"data:image/png;base64,%s\">\n<table class=\"rows\">\n%s</table>\n"+
		"<p>Save this file and open it in a browser with scripts to see every draw, pixel and register. It needs no network.</p>",
		html.EscapeString(b.Name), said, plural.Of(draws, "draw"), base64.StdEncoding.EncodeToString(picture), summary))
	if err != nil {
		return err
	}
	for _, part := range [][2]string{
		{`<title>pica200</title>`, "<title>" + html.EscapeString(b.Name) + " – pica200</title>\n" + `<meta name="description" content="` + html.EscapeString(strings.TrimSpace("A frame of a Nintendo 3DS program, draw by draw. "+b.Note)) + `">`},
		{`<meta name="color-scheme"`, `<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(policy) + `">` + "\n" + `<meta name="color-scheme"`},
		{`<link rel="stylesheet" href="style.css">`, "<style>" + string(style) + "</style>"},
		{`<script type="module" src="main.js"></script>`, ""},
		{`</body>`, data("worker", "", append(slices.Clone(e.Exec), worker...)) + data("more", "", more) + data("first", "", nil) + "\x00" + data("engine", "", nil) + "\x00" + data("recording", b.Name, nil) + "\x00" + data("rest", "", nil) + "\x00" +
			`<script type="module">` + script + "</script>\n</body>"},
	} {
		if strings.Count(text, part[0]) != 1 {
			return fmt.Errorf("the page has not one %s", part[0])
		}
		text = strings.Replace(text, part[0], part[1], 1)
	}
	// The large parts are written as they are encoded.
	pieces := strings.Split(text, "</script>\n\x00")
	if len(pieces) != 5 {
		return errors.New("the page cannot be put together")
	}
	for i, large := range [][]byte{first, e.Wasm, b.Recording, rest, nil} {
		if _, err := io.WriteString(w, pieces[i]); err != nil {
			return err
		}
		if i == len(pieces)-1 {
			break
		}
		enc := base64.NewEncoder(base64.StdEncoding, w)
		if _, err := enc.Write(large); err != nil {
			return err
		}
		if err := enc.Close(); err != nil {
			return err
		}
		if _, err := io.WriteString(w, "</script>\n"); err != nil {
			return err
		}
	}
	return nil
}

// still returns the picture of a frame as PNG, the number of its draws, and the
// frame in numbers as rows of a table.
func still(ctx context.Context, b *Bug, known *engine.Known) (picture []byte, draws int, summary string, err error) {
	e := engine.New(engine.Options{}, engine.Recorded(b.Name, b.Recording, known))
	defer e.Close()
	frame, err := frameOf(ctx, e)
	if err != nil {
		return nil, 0, "", err
	}
	var numbers struct {
		Rows []struct{ Label, Text string }
	}
	if err := read(ctx, e, &engine.Request{Op: "step", Draw: -1}, &numbers); err != nil {
		return nil, 0, "", err
	}
	for _, r := range numbers.Rows {
		summary += "<tr><th>" + html.EscapeString(r.Label) + "</th><td>" + html.EscapeString(r.Text) + "</td></tr>\n"
	}
	a, err := e.Do(ctx, &engine.Request{Op: "picture", What: "screens", Draw: -1})
	if err != nil {
		return nil, 0, "", err
	}
	p, ok := a.Value.(engine.Picture)
	if !ok {
		return nil, 0, "", errors.New("the frame has no picture")
	}
	img := &image.RGBA{Pix: bytes.Clone(a.Data), Stride: 4 * p.Width, Rect: image.Rect(0, 0, p.Width, p.Height)}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	var out bytes.Buffer
	err = png.Encode(&out, img)
	return out.Bytes(), frame.Draws, summary, err
}

// data is an element with text that no browser executes.
func data(id, name string, text []byte) string {
	if name != "" {
		name = ` data-name="` + html.EscapeString(name) + `"`
	}
	return `<script type="text/plain" id="` + id + `"` + name + ">" + string(text) + "</script>\n"
}

var (
	importLine = lazy.Regexp(`(?m)^import \{ ([\w, ]+) \} from "\./(\w+)\.js";\n`)
	exportWord = lazy.Regexp(`(?m)^export ((?:async )?(?:function|const|class)) (\w+)`)
)

// oneScript joins a module and its imports to one script, each in a function of
// its own, because a page on a disk cannot load modules. It supports the forms
// of import and export that the page's modules use, and returns an error for
// others.
func oneScript(name string) (string, error) {
	var out strings.Builder
	done := map[string]bool{}
	var add func(name string) error
	add = func(name string) error {
		if done[name] {
			return nil
		}
		done[name] = true
		source, err := fs.ReadFile(servedPage(), name+".js")
		if err != nil {
			return err
		}
		text := string(source)
		for _, m := range importLine().FindAllStringSubmatch(text, -1) {
			if err := add(m[2]); err != nil {
				return err
			}
		}
		text = importLine().ReplaceAllString(text, "const { $1 } = module_$2;\n")
		var names []string
		for _, m := range exportWord().FindAllStringSubmatch(text, -1) {
			names = append(names, m[2])
		}
		text = exportWord().ReplaceAllString(text, "$1 $2")
		if odd := regexp.MustCompile(`(?m)^(import|export)\b.*`).FindString(text); odd != "" {
			return fmt.Errorf("%s.js: %q has a form that is not known", name, odd)
		}
		fmt.Fprintf(&out, "const module_%s = (() => {\n%s\nreturn { %s };\n})();\n", name, text, strings.Join(names, ", "))
		return nil
	}
	err := add(strings.TrimSuffix(name, ".js"))
	return out.String(), err
}
