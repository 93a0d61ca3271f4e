// Command pica200 is the PICA200, the GPU of the Nintendo 3DS, in software: it
// replays recorded GPU traces to images, draws scenes and models, assembles and
// inspects shaders, and shows recordings in a debugger. Each subcommand has its
// own file here; its logic is in the packages that it calls.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"pica200/internal/files"
	"pica200/internal/quote"
)

// Exit statuses of every subcommand.
const (
	exitDone   = 0 // the work is done
	exitFailed = 1 // the input is invalid, the work failed, or something was found that should not be
	exitUsage  = 2 // the command line is invalid
)

// grace is the time that a subcommand has to end properly after an interrupt,
// or when the time of --timeout is over.
const grace = 2 * time.Second

// cli lists the subcommands. A subcommand is a struct with a Run method, which
// may take a *console and a context.Context.
type cli struct {
	Demo    demoCmd    `cmd:"" group:"Begin with these" help:"Write an example trace to try the other commands on."`
	Render  renderCmd  `cmd:"" group:"Begin with these" help:"Draw a trace, scene or model to PNG images."`
	View    viewCmd    `cmd:"" group:"Begin with these" help:"Open a window on a model, scene, trace or shader."`
	Inspect inspectCmd `cmd:"" group:"Begin with these" help:"Show the contents of a file of any known format."`
	Asm     asmCmd     `cmd:"" group:"Begin with these" help:"Assemble .pica sources to a shader binary."`
	Lint    lintCmd    `cmd:"" group:"Begin with these" help:"Check shaders and banners for errors that hang or misrender on the console."`

	Gallery galleryCmd `cmd:"" group:"Pictures and models" help:"Draw a folder of scenes and models and make a page of the pictures."`
	Compare compareCmd `cmd:"" group:"Pictures and models" help:"Compare two pictures."`
	Convert convertCmd `cmd:"" group:"Pictures and models" help:"Make a HOME Menu banner (.cgfx, .bnr) from a model, or unpack one."`
	Tex     texCmd     `cmd:"" group:"Pictures and models" help:"Make a texture (.t3x) from pictures, like tex3ds."`
	Extract extractCmd `cmd:"" group:"Pictures and models" help:"Extract shader binaries, textures and models from other files."`
	Scene   sceneCmd   `cmd:"" group:"Pictures and models" help:"Make scenes from traces, and the schema of scenes."`
	Golden  goldenCmd  `cmd:"" group:"Pictures and models" help:"Compare rendered images with approved ones."`

	Trace   traceCmd   `cmd:"" group:"Recordings" help:"Record scenes as traces."`
	Serve   serveCmd   `cmd:"" group:"Recordings" help:"Open a debugger for recordings in the browser."`
	Explain explainCmd `cmd:"" group:"Recordings" help:"Explain the colour of a pixel."`
	Blame   blameCmd   `cmd:"" group:"Recordings" help:"Find the draws that make a screenshot differ from our picture."`
	Bench   benchCmd   `cmd:"" group:"Recordings" help:"Measure how fast a trace replays."`

	Disasm   disasmCmd   `cmd:"" group:"Shaders" help:"Write .pica source for a shader binary."`
	Link     linkCmd     `cmd:"" group:"Shaders" help:"Link unlinked shader objects."`
	Run      runCmd      `cmd:"" group:"Shaders" help:"Run a shader on vertices and print its outputs."`
	Fmt      fmtCmd      `cmd:"" group:"Shaders" help:"Format .pica sources."`
	Lsp      lspCmd      `cmd:"" group:"Shaders" help:"Run the language server for shaders (started by editors)."`
	Uniforms uniformsCmd `cmd:"" group:"Shaders" help:"List the dmp_* uniforms with their types and registers."`

	Completion completionCmd `cmd:"" group:"The program" help:"Write a script that completes commands in a shell."`
	Version    versionCmd    `cmd:"" group:"The program" help:"Print the version."`
}

// exitError is an error with an exit status other than exitFailed.
type exitError struct {
	status int
	err    error // may be nil: nothing to print
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// errFound ends the program with exitFailed, and nothing more is printed: the output says what was found.
var errFound = &exitError{status: exitFailed}

// usagef returns an error that ends the program with exitUsage.
func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

var errInterrupted = errors.New("interrupted")

func main() {
	if len(os.Args) < 2 || os.Args[1] != "view" {
		// The viewer's package locks the main goroutine to its thread, which costs
		// other commands time.
		runtime.UnlockOSThread()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	con := newConsole(os.Stdout, os.Stderr)
	con.giveUp = func(why error) {
		time.Sleep(grace)
		files.RemoveUnfinished()
		fmt.Fprintf(os.Stderr, "pica200: %v\n", why)
		os.Exit(exitFailed)
	}
	context.AfterFunc(ctx, func() {
		// A command that does not react to the interrupt is ended after a while; a
		// second interrupt ends the program at once.
		stop()
		con.giveUp(errInterrupted)
	})
	con.setMemoryLimit, con.setGCPercent = debug.SetMemoryLimit, collectLate()
	con.outTTY, con.errTTY = isTerminal(os.Stdout), isTerminal(os.Stderr)
	var status int
	if tool := calledAs(os.Args[0]); tool != nil {
		status = tool.call(con, os.Args[1:])
	} else {
		status = run(ctx, con, os.Args[1:])
	}
	stop()
	os.Exit(status)
}

// collectLate lets the heap grow to 16 MB before garbage is collected for the first time, which short commands then do not
// need. It returns debug.SetGCPercent for what comes after.
func collectLate() func(percent int) int {
	var chosen sync.Once
	if os.Getenv("GOGC") == "" {
		usual := debug.SetGCPercent(400)
		runtime.AddCleanup(new([8]*int), func(usual int) { chosen.Do(func() { debug.SetGCPercent(usual) }) }, usual)
	}
	return func(percent int) int {
		chosen.Do(func() {})
		return debug.SetGCPercent(percent)
	}
}

// run parses args, runs the subcommand and returns the exit status. The console
// must not be used afterwards.
func run(ctx context.Context, con *console, args []string) int {
	con.inputs = files.Begin()
	defer con.inputs.End()
	status := parseAndRun(ctx, con, args)
	if err := con.close(); err != nil && status == exitDone {
		con.fails(err)
		status = exitFailed
	}
	return status
}

// fails prints an error.
func (con *console) fails(err error) { fmt.Fprintf(con.err, "pica200: %s\n", quote.Lines(err.Error())) }

func parseAndRun(ctx context.Context, con *console, args []string) (status int) {
	// kong prints help and calls Exit, which must not return; the panic passes the
	// status on.
	type exit struct{ status int }
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exit:
			status = e.status
		default:
			panic(e)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if args[0] == "complete" { // called by the scripts of completion
		if completeWords(con.out, args[1:]) != nil {
			return exitFailed
		}
		return exitDone
	}
	parser, err := newParser(grammar(args[0]),
		kong.Writers(con.out, con.err),
		kong.Exit(func(s int) { panic(exit{s}) }),
		kong.Bind(con),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		panic(err)
	}
	switch args[0] { // what people may try first
	case "help":
		args = append(slices.Clone(args[1:]), "--help")
	case "--version", "-V":
		args = append([]string{"version"}, args[1:]...)
	}
	con.named(args...)
	k, err := parser.Parse(asmArgs(args))
	if err != nil {
		fmt.Fprintf(con.err, "pica200: %v\n%s\n", behindDashes(args, err), whereHelpIs(err))
		return exitUsage
	}
	if err := runLimited(ctx, con, k); err != nil {
		switch {
		case errors.Is(err, context.DeadlineExceeded) && con.late != nil:
			err = con.late
		case errors.Is(err, context.Canceled):
			err = errInterrupted
		}
		var p *fs.PathError
		if errors.As(err, &p) {
			con.named(p.Path)
		}
		var e *exitError
		if errors.As(err, &e) {
			if e.err != nil {
				con.fails(behindDashes(args, e.err))
			}
			return e.status
		}
		con.fails(behindDashes(args, err))
		if errors.As(err, new(*files.Overwrites)) {
			return exitUsage
		}
		return exitFailed
	}
	return exitDone
}

// checkNames returns an error for an empty name of a file, for - where a folder is written or, with the tag "piped:no", what is read needs
// a name (of files beside it, or because it is read again), for a --root that does not exist, for a negative number that is not the flag's default,
// and for an output whose name has an ending that the command does not write: the tag "ends" of its flag lists them. A name without an ending, a folder and a device are taken.
func checkNames(k *kong.Context) error {
	for _, p := range k.Path {
		var v *kong.Value
		switch {
		case p.Positional != nil:
			v = p.Positional
		case p.Flag != nil && slices.Contains([]string{"FILE", "DIR", "OUT"}, p.Flag.PlaceHolder):
			v = p.Flag.Value
		default:
			continue
		}
		names, several := v.Target.Interface().([]string)
		if slices.Contains(names, "") || !several && v.Target.IsZero() && v.Target.Kind() == reflect.String {
			return usagef("%s: the name is empty; is a variable of the shell not set?", v.Summary())
		}
		switch dash := v.Target.String() == "-" || slices.Contains(names, "-"); {
		case dash && v.Flag != nil && v.Name == "out" && v.Flag.PlaceHolder == "DIR":
			return usagef("%s: - would be standard output, and a folder is written; ./- is a folder of that name", v.Summary())
		case dash && v.Tag.Get("piped") == "no":
			return usagef("standard input (-) cannot be read for %s, which needs the name of a file or folder; ./- is one of that name", v.Summary())
		case v.Name == "root":
			for _, name := range names {
				if _, err := os.Stat(name); err != nil {
					return fmt.Errorf("--root: %w", err)
				}
			}
		}
	}
	for _, f := range k.Flags() {
		v := reflect.Indirect(f.Target)
		if v.CanInt() && v.Int() < 0 && fmt.Sprint(v) != f.Default || v.CanFloat() && v.Float() < 0 && f.Name != "time" {
			return usagef("--%s must not be negative", f.Name)
		}
		ends, name := f.Tag.Get("ends"), f.Target.String()
		ext := filepath.Ext(name)
		if ends == "" || ext == "" || strings.HasSuffix(name, "/") || isDevice(name) || slices.Contains(strings.Fields(ends), strings.ToLower(ext)) {
			continue
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			continue
		}
		return usagef("--%s %s: the name ends in %s, and this is not what is written; it may end in %s", f.Name, name, ext, strings.Join(strings.Fields(ends), ", "))
	}
	return nil
}

// runLimited runs a command, within its --timeout if it has one.
func runLimited(ctx context.Context, con *console, k *kong.Context) error {
	if err := checkNames(k); err != nil {
		return err
	}
	if c, ok := k.Selected().Target.Addr().Interface().(limited); ok {
		ctx, cancel := c.limit(ctx, con)
		defer cancel()
		k.BindTo(ctx, (*context.Context)(nil))
	}
	return k.Run()
}

// grammar is the cli, of which a command line that begins with a command needs just that
// one: the parser of one is made in a tenth of the time.
func grammar(first string) any {
	for f := range reflect.TypeFor[cli]().Fields() {
		if strings.ToLower(f.Name) == first {
			return reflect.New(reflect.StructOf([]reflect.StructField{f})).Interface()
		}
	}
	return &cli{}
}

// newParser makes the parser of the command line.
func newParser(c any, options ...kong.Option) (*kong.Kong, error) {
	return kong.New(c, append([]kong.Option{
		kong.Name("pica200"),
		kong.Description("The GPU of the Nintendo 3DS in software: replay traces, assemble and inspect shaders, render scenes."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		// kong would convert through JSON, which cannot represent file names that are
		// not UTF-8.
		kong.KindMapper(reflect.String, kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
			t, err := ctx.Scan.PopValue("string")
			if err == nil {
				target.SetString(t.String())
			}
			return err
		})),
	}, options...)...)
}

// behindDashes adds to an error what may be its cause: an option that follows "--".
func behindDashes(args []string, err error) error {
	for _, a := range args[slices.Index(append(slices.Clone(args), "--"), "--"):] {
		if len(a) > 1 && a[0] == '-' && a != "--" {
			if _, no := os.Lstat(a); no != nil {
				return fmt.Errorf("%w; %s follows --, so it is taken as a name: options come before --", err, a)
			}
		}
	}
	return err
}

// whereHelpIs says which help to read after an invalid command line.
func whereHelpIs(err error) string {
	var p *kong.ParseError
	if errors.As(err, &p) && p.Context != nil && p.Context.Selected() != nil {
		return fmt.Sprintf("Run \"%s --help\" for its arguments and examples.", p.Context.Selected().FullPath())
	}
	return "Run \"pica200 --help\" for the list of commands, \"pica200 COMMAND --help\" for one."
}
