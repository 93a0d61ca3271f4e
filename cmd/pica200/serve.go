package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"pica200/assets/picatrace"
	"pica200/internal/module"
	"pica200/pipeline/retrace"
	"pica200/scene/source"
	"pica200/serve"
	"pica200/serve/engine"
	"pica200/shaderunit/asm"
)

type serveCmd struct {
	Files []string `arg:"" name:"file" piped:"no" help:"Traces (.ctf, .picatrace), scenes or models."`

	Export string `ends:".html .htm" placeholder:"FILE" help:"Write a single HTML file (.html; - for standard output) with the debugger, the engine and one frame, instead of starting a server. A browser can open it without this program."`
	Frame  *int   `placeholder:"N" help:"Frame to export, from 0. Without it: the last."`
	Note   string `placeholder:"TEXT" help:"Text for the reader of the exported page."`

	NoOpen bool   `help:"Only print the address; do not open a browser."`
	Listen string `default:"127.0.0.1:0" placeholder:"ADDRESS" help:"Address and port to listen on; port 0 selects a free one (default 127.0.0.1:0)."`
	Public bool   `help:"Allow an address that other machines can reach. Anyone who knows the address with its token can read the files, and the connection is not encrypted."`
	Host   string `placeholder:"NAME:PORT" help:"With --public: another name by which browsers reach the address."`

	With    string `placeholder:"PROGRAM" help:"Another build of pica200: its rendering of the first file is added as another file, for comparison."`
	Workers int    `default:"0" placeholder:"N" help:"Number of threads that draw; 0 for one per CPU."`
	rootFlags
	strictFlags
}

func (serveCmd) Help() string {
	return `Opens a debugger in the browser. It shows frames with their draws, the
input and output of each draw, textures, meshes, shaders step by step, and why a
pixel has its colour. docs/SERVE.md describes it, docs/PROTOCOL.md the
requests that other programs can send.

The server accepts connections only from this machine, and only requests with
the random token in the address that it prints. Files are read when they are
first shown; nothing is written. Ctrl-C ends it.

With --export it writes one frame as a single HTML file, for a bug report. The
file contains the same debugger and needs no server and no network.

Examples:

  pica200 serve game.picatrace
  pica200 serve old.ctf new.ctf --no-open
  pica200 serve game.ctf --with ./pica200-before
  pica200 serve testdata/scenes/lit.yaml --listen 127.0.0.1:8200
  pica200 serve game.ctf --export bug.html --frame 0 --note "the moon is missing"`
}

func (c *serveCmd) Run(ctx context.Context, con *console) error {
	if c.Export != "" {
		return c.export(ctx, con)
	}
	if c.Frame != nil || c.Note != "" {
		return usagef("--frame and --note are for --export")
	}
	at, err := netip.ParseAddrPort(c.Listen)
	if err != nil {
		return usagef("--listen %s: an IP address and a port are expected, 127.0.0.1:8200 or [::1]:0", c.Listen)
	}
	if !at.Addr().IsLoopback() && !c.Public {
		return usagef("--listen %s: other machines reach that address; --public says that this is meant", c.Listen)
	}
	if c.Host != "" && !c.Public {
		return usagef("--host is for --public")
	}
	var sources []engine.Source
	for _, path := range c.Files {
		if _, err := os.Stat(path); err != nil {
			return err
		}
		sources = append(sources, c.source(con, path))
	}
	if c.With != "" {
		other, stop, err := another(ctx, con, c.With, c.Files[0])
		if err != nil {
			return err
		}
		defer stop()
		other.Name = fmt.Sprintf("%s (%s)", filepath.Base(c.Files[0]), c.With)
		sources = append(sources, other)
	}
	con.collectOften() // keeps the bounds of docs/SERVE.md
	e := engine.New(engine.Options{Workers: c.Workers, Strict: c.Strict, Blame: blameShot}, sources...)
	// Report an unreadable first file now, not in the page.
	if _, err := e.Do(ctx, &engine.Request{Op: "open"}); err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return err
	}
	defer l.Close()
	var hosts []string
	if c.Host != "" {
		hosts = append(hosts, c.Host)
	}
	s, err := serve.New(e, l.Addr(), hosts...)
	if err != nil {
		return err
	}
	s.Export = func(ctx context.Context, r *serve.ExportRequest) ([]byte, error) {
		if r.File < 0 || r.File >= len(c.Files) {
			return nil, &engine.Error{Code: engine.CodeRequest, Text: "only files that this program reads itself can be exported"}
		}
		var page bytes.Buffer
		_, _, err := c.page(ctx, con, &page, c.Files[r.File], &r.Frame, r.Note, r.At)
		return page.Bytes(), err
	}
	name := l.Addr().String()
	if at.Addr().IsUnspecified() {
		_, port, _ := net.SplitHostPort(name)
		name = net.JoinHostPort("127.0.0.1", port)
	}
	url := "http://" + name + s.Path()
	fmt.Fprintf(con.out, "%s\n", url)
	if !c.NoOpen {
		if err := openBrowser(ctx, url); err != nil {
			fmt.Fprintf(con.err, "warning: no browser was opened (%v); open the address yourself\n", err)
		}
	}
	return s.Serve(ctx, l)
}

// export writes a frame as a page.
func (c *serveCmd) export(ctx context.Context, con *console) error {
	if len(c.Files) != 1 {
		return usagef("--export writes a frame of one file, %d are given", len(c.Files))
	}
	if dir := filepath.Dir(c.Export); c.Export != "-" {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s cannot be written: there is no folder %s", c.Export, dir) // check before a long replay
		}
	}
	var frame, cut int
	write := func(w io.Writer) (err error) {
		frame, cut, err = c.page(ctx, con, w, c.Files[0], c.Frame, c.Note, "")
		return err
	}
	if _, err := writeTrace(con, c.Export, write); err != nil || c.Export == "-" {
		return err
	}
	fmt.Fprintf(con.out, "%s: frame %d of %s, %d bytes of recording\n", c.Export, frame, inputName(c.Files[0]), cut)
	return nil
}

// page writes a frame of a file as a page, the last one if none is given. It
// returns the frame and the size of its recording. note and at are as in
// serve.Bug.
func (c *serveCmd) page(ctx context.Context, con *console, w io.Writer, path string, which *int, note, at string) (frame, recorded int, err error) {
	r, err := c.record(ctx, con, path)
	if err != nil {
		return 0, 0, err
	}
	frame = source.Last
	if which != nil {
		frame = *which
	}
	if frame, err = r.FrameAt(frame); err != nil {
		return 0, 0, err
	}
	var cut bytes.Buffer
	if _, err := retrace.Cut(ctx, r.Trace, frame, frame, &cut, retrace.Options{Workers: c.Workers}); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", inputName(path), err)
	}
	browser, err := browserEngine(ctx, con)
	if err != nil {
		return 0, 0, err
	}
	bug := &serve.Bug{Name: fmt.Sprintf("%s, frame %d", filepath.Base(inputName(path)), frame), Recording: cut.Bytes(), Shaders: shadersOf(path, c.Root), Note: note, At: at}
	if frame < len(r.Names) {
		bug.Names = r.Names[frame]
	}
	return frame, cut.Len(), serve.Export(ctx, w, browser, bug)
}

// browserEngine returns the embedded engine; a program in the folder bin of a
// checkout builds one from the checkout.
func browserEngine(ctx context.Context, con *console) (*serve.Engine, error) {
	if e := serve.BrowserEngine(); e != nil {
		return e, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(filepath.Dir(self))
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if line, _, _ := bytes.Cut(mod, []byte("\n")); err != nil || string(bytes.TrimSpace(line)) != "module "+module.Path() {
		return nil, serve.ErrNoEngine
	}
	fmt.Fprintf(con.err, "building the engine for browsers from %s\n", dir)
	return serve.BuildEngine(ctx, dir, false, func(err error) { fmt.Fprintln(con.err, err) })
}

// record returns the recording of a file, or of what a scene draws.
func (c *serveCmd) record(ctx context.Context, con *console, path string) (*source.Recording, error) {
	s, err := con.open(path, false, source.Options{Roots: c.Root, Workers: c.Workers})
	if err != nil {
		return nil, err
	}
	return s.Record(ctx)
}

// source makes a source of a file for the engine, which opens one at a time.
func (c *serveCmd) source(con *console, path string) engine.Source {
	version := func() string {
		info, err := os.Stat(path)
		if err != nil {
			return "" // what was read is still valid
		}
		return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	return engine.Source{Name: filepath.Base(path), Version: version, Shaders: func() [][]asm.Source { return shadersOf(path, c.Root) }, Open: func(ctx context.Context) (*picatrace.Trace, [][]string, error) {
		r, err := c.record(ctx, con, path)
		if err != nil {
			return nil, nil, err
		}
		return r.Trace, r.Names, nil
	}}
}

// openBrowser opens an address in the system's browser.
func openBrowser(ctx context.Context, url string) error {
	var tries [][]string
	switch runtime.GOOS {
	case "darwin":
		tries = [][]string{{"open"}}
	case "windows":
		tries = [][]string{{"rundll32", "url.dll,FileProtocolHandler"}}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return errors.New("there is no display")
		}
		tries = [][]string{{"xdg-open"}, {"sensible-browser"}}
	}
	var names []string
	for _, t := range tries {
		if cmd := exec.CommandContext(context.WithoutCancel(ctx), t[0], append(t[1:], url)...); cmd.Start() == nil {
			go func() { _ = cmd.Wait() }()
			return nil
		}
		names = append(names, t[0])
	}
	return fmt.Errorf("%s is not there", strings.Join(names, " and "))
}
