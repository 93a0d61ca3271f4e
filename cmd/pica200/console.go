package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pica200/internal/files"
)

// console is a subcommand's input and output. Printed text may contain names
// from files of unknown origin, so it passes through a filter that makes
// control characters visible, which a terminal would execute.
type console struct {
	out, err io.Writer // text
	raw      io.Writer // standard output for binary data
	rawErr   io.Writer // for the progress bar, which moves the cursor
	outTTY   bool      // out is a terminal, which is not for binary data
	errTTY   bool      // err is a terminal, so a progress bar makes sense

	late   error       // message when the time of --timeout is over
	giveUp func(error) // ends the program after a while unless it ends by itself; may be nil

	// These tune the collector of the whole process, as in package debug; nil where the
	// process runs other commands too.
	setMemoryLimit func(int64) int64
	setGCPercent   func(int) int

	in      io.Reader // standard input, nil for the program's own
	inTaken bool      // it was read

	stdout  *checked
	texts   []*text
	lines   []string        // pairs: names with line breaks, and how they are printed
	inputs  *files.Run      // knows the files that were opened, which outputs do not replace
	outputs map[string]bool // files that were written
	folders []*files.Root   // that are written into
}

func newConsole(out, err io.Writer) *console {
	stdout, stderr := &checked{w: out}, &text{w: err}
	t := &text{w: stdout}
	return &console{out: t, err: stderr, raw: stdout, rawErr: err, stdout: stdout, texts: []*text{t, stderr}, outputs: map[string]bool{}}
}

// close writes what is buffered and returns the first error of standard output:
// a lost report is a failure.
func (con *console) close() error {
	for _, t := range con.texts {
		t.close()
	}
	for _, root := range con.folders {
		root.Close()
	}
	if err := con.stdout.err; err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// checked is a writer that remembers its first error.
type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	c.err = err
	return n, err
}

// text writes text without characters that a terminal would execute: control
// characters except line feeds and tabs, and those that change the direction of
// writing, become \u and four digits, as in JSON; bytes that are not UTF-8
// become \x and two digits. Line feeds in names become \n.
type text struct {
	w     io.Writer
	rest  []byte            // the beginning of an incomplete character
	names *strings.Replacer // nil while no name has line breaks
}

func (t *text) Write(p []byte) (int, error) {
	in := p
	if end := len(p) - 1; t.names != nil && end >= 0 { // the last byte ends a line
		in = append([]byte(t.names.Replace(string(p[:end]))), p[end])
	}
	if len(t.rest) > 0 {
		in = append(t.rest, in...)
	}
	out := make([]byte, 0, len(in))
	for len(in) > 0 && (in[0] < utf8.RuneSelf || utf8.FullRune(in)) {
		r, n := utf8.DecodeRune(in)
		switch {
		case r == '\n' || r == '\t':
			out = append(out, in[0])
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, in[0])
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, in[:n]...)
		}
		in = in[n:]
	}
	t.rest = append([]byte(nil), in...)
	if _, err := t.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (t *text) close() {
	rest := t.rest
	t.rest = nil
	for _, b := range rest {
		fmt.Fprintf(t.w, `\x%02x`, b)
	}
}

// named records names, so that one with line breaks is printed in one line.
func (con *console) named(names ...string) {
	for _, name := range names {
		if strings.TrimSpace(name) == "" || !strings.Contains(name, "\n") {
			continue
		}
		con.lines = append(con.lines, name, strings.ReplaceAll(name, "\n", `\n`))
		for _, t := range con.texts {
			t.names = strings.NewReplacer(con.lines...)
		}
	}
}

// resolved returns the same name for all paths to a file.
func resolved(path string) string {
	if target, _, err := files.Target(path); err == nil {
		path = target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// output is a file that a command writes; "-" is standard output, "" nothing.
type output struct {
	name string
	data []byte
}

// write writes the outputs of a command, or none if one of them is an input or the position of two.
func (con *console) write(outs ...output) error {
	outs = slices.DeleteFunc(outs, func(o output) bool { return o.name == "" })
	targets := map[string]bool{}
	for _, o := range outs {
		target := "-"
		if o.name != "-" {
			if target = resolved(o.name); con.outputs[target] {
				return writtenTwice(o.name)
			}
			if err := files.Free(o.name); err != nil {
				return err
			}
		}
		if targets[target] && !isDevice(o.name) {
			return writtenTwice(o.name)
		}
		targets[target] = true
	}
	for _, o := range outs {
		if err := con.writeBytes(o.name, o.data); err != nil {
			return err
		}
	}
	return nil
}

func writtenTwice(name string) error {
	if name == "-" {
		return usagef("standard output (-) is named twice; name a file")
	}
	return usagef("%s would be written twice; name two files", name)
}

// isDevice reports whether a file takes any number of outputs.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return path != "-" && err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// writeFile writes a file completely or not at all (files.Write), but none twice.
func (con *console) writeFile(path string, write func(io.Writer) error) error {
	target := resolved(path)
	if con.outputs[target] {
		return writtenTwice(path)
	}
	if err := con.writeBelow(path, write); err != nil {
		return err
	}
	con.outputs[target] = !isDevice(path)
	return nil
}

// makeFolder makes a folder for outputs if there is none. A link in it does not lead an output elsewhere.
func (con *console) makeFolder(dir string) error {
	root, err := files.MakeRoot(dir)
	if err == nil {
		con.folders = append(con.folders, root)
	}
	return err
}

func (con *console) writeBelow(path string, write func(io.Writer) error) error {
	for _, root := range con.folders {
		if name, ok := root.Below(path); ok {
			return root.Write(name, write)
		}
	}
	return files.Write(path, write)
}

// writeBytes writes a file, or standard output for "-".
func (con *console) writeBytes(name string, data []byte) error {
	write := func(w io.Writer) error { _, err := w.Write(data); return err }
	if name != "-" {
		return con.writeFile(name, write)
	}
	if !con.outTTY {
		return write(con.raw)
	}
	if !isText(data) {
		return usagef("standard output is a terminal, and this is not text; name a file with -o, or send it on with > or |")
	}
	return write(con.out)
}

// printJSON prints a result as JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// isText reports whether data is text.
func isText(data []byte) bool {
	if !utf8.Valid(data) {
		return false
	}
	for _, b := range data {
		if b == 0 {
			return false
		}
	}
	return true
}

func pngBytes(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := pngEncoder.Encode(&b, img)
	return b.Bytes(), err
}

// writePNG writes a picture, to standard output for "-".
func (con *console) writePNG(path string, img image.Image) error {
	if path == "-" && con.outTTY {
		return con.writeBytes(path, []byte{0})
	}
	if path == "-" {
		w := bufio.NewWriter(con.raw)
		if err := pngEncoder.Encode(w, img); err != nil {
			return err
		}
		return w.Flush()
	}
	return con.writeFile(path, func(w io.Writer) error { return pngEncoder.Encode(w, img) })
}
