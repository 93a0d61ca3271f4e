//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/qmuntal/gltf"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"pica200/assets/model"
	"pica200/console/hardware"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// sandbox is a folder where documented commands run unchanged: bin/pica200 is this test binary, and input files are made from the
// project's.
type sandbox struct{ dir string }

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	s := &sandbox{t.TempDir()}
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, "bin"), 0o777))
	self := testkit.Must(filepath.Abs(os.Args[0]))(t)
	require.NoError(t, os.Symlink(self, filepath.Join(s.dir, "bin", "pica200")))
	repo := testkit.Must(filepath.Abs("../.."))(t)
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, "testdata"), 0o777))
	require.NoError(t, os.Symlink(filepath.Join(repo, "testdata", "scenes"), filepath.Join(s.dir, "testdata", "scenes")))
	require.NoError(t, os.Symlink(filepath.Join(repo, "testdata", "models"), filepath.Join(s.dir, "testdata", "models")))
	return s
}

// run executes a shell line in the sandbox and returns its output. Our commands run in this process, which takes a tenth of the
// time.
func (s *sandbox) run(t *testing.T, line string) string {
	t.Helper()
	script := testkit.Must(syntax.NewParser().Parse(strings.NewReader(line), ""))(t, line)
	var out printed
	shell, err := interp.New(interp.Dir(s.dir), interp.StdIO(nil, &out, &out), interp.ExecHandlers(ourCommands),
		interp.Env(expand.ListEnviron(append(os.Environ(), asProgram+"=1", "PATH="+filepath.Join(s.dir, "bin")+":"+os.Getenv("PATH"))...)))
	require.NoError(t, err)
	back := testkit.Must(os.Getwd())(t)
	require.NoError(t, os.Chdir(s.dir))
	defer func() { require.NoError(t, os.Chdir(back)) }()
	require.NoError(t, shell.Run(t.Context(), script), "$ %s\n%s", line, &out)
	return out.String()
}

// ourCommands runs pica200 as a function and other commands as processes.
func ourCommands(other interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		if filepath.Base(args[0]) != "pica200" {
			return other(ctx, args)
		}
		h := interp.HandlerCtx(ctx)
		con := newConsole(h.Stdout, h.Stderr)
		if con.in = h.Stdin; con.in == nil {
			con.in = strings.NewReader("")
		}
		if status := run(ctx, con, args[1:]); status != 0 {
			return interp.ExitStatus(status)
		}
		return nil
	}
}

// printed collects output that is written and read concurrently.
type printed struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

// pipe runs a command with a file of the sandbox as standard input.
func (s *sandbox) pipe(t *testing.T, in, line string) string {
	t.Helper()
	data := testkit.Read(t, filepath.Join(s.dir, in))
	t.Chdir(s.dir)
	status, stdout, stderr := invokeWith(t, data, strings.Fields(line)...)
	require.Zero(t, status, "%s < %s\n%s", line, in, stderr)
	return stdout
}

func (s *sandbox) write(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, data, 0o666))
}

// provided caches input files for other tests.
var provided = map[string][]byte{}

// provide makes an input file of the kind given by its name.
func (s *sandbox) provide(t *testing.T, name string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(s.dir, name)); err == nil {
		return
	}
	if data, ok := provided[name]; ok {
		s.write(t, name, data)
		return
	}
	s.make(t, name)
	provided[name] = testkit.Read(t, filepath.Join(s.dir, name))
}

func (s *sandbox) make(t *testing.T, name string) {
	t.Helper()
	use := func(source string) {
		s.write(t, name, testkit.Read(t, filepath.Join("../..", source)))
	}
	const shaders, samples = "shaderunit/shaders/pica/", "explain/inspect/testdata/"
	switch ext := filepath.Ext(name); {
	case name == "lib.pica": // procedures only, no executable
		s.write(t, name, []byte(".nodvle\n.proc twice\n\tadd r0, r0, r0\n\tend\n.end\n"))
	case strings.HasSuffix(name, ".g.pica"):
		use(shaders + "point.g.pica")
	case ext == ".pica":
		use(shaders + "basic.v.pica")
	case ext == ".ctf":
		if data, ok := provided["made.ctf"]; ok {
			s.write(t, name, data)
			return
		}
		s.run(t, "pica200 demo --frames 4 -o "+name)
		provided["made.ctf"] = []byte(mustRead(t, filepath.Join(s.dir, name)))
	case ext == ".picatrace":
		s.provide(t, "made.ctf")
		s.run(t, "pica200 trace convert made.ctf -o "+name)
	case ext == ".shbin" || ext == ".dvoj":
		s.provide(t, "made.v.pica")
		object := map[bool]string{true: "--object "}[ext == ".dvoj"]
		s.run(t, "pica200 asm "+object+"made.v.pica -o "+name)
	case ext == ".3dsx": // three shaders in the read-only data
		s.provide(t, "made.shbin")
		s.run(t, "pica200 extract made.shbin -o a1.c --c-array")
		s.write(t, name, bytes.Repeat(testkit.Read(t, filepath.Join(s.dir, "a1.c")), 3))
	case ext == ".t3s":
		s.write(t, filepath.Dir(name)+"/p.png", testkit.Read(t, "../../testdata/golden/lit-color.png"))
		s.write(t, name, []byte("-f rgb565 --atlas p.png p.png"))
	case ext == ".t3x" || name == "sprites.h":
		base := strings.TrimSuffix(name, ext)
		s.provide(t, base+".t3s")
		s.run(t, "pica200 tex "+base+".t3s -o "+base+".t3x --header "+base+".h")
	case ext == ".ttf":
		s.write(t, name, goregular.TTF)
	case ext == ".bcsdr":
		use(samples + "resource.bcsdr")
	case ext == ".cgfx" || ext == ".bnr":
		use("testdata/models/arm" + ext)
	case name == "knight.glb": // an animated model
		doc := testkit.Must(gltf.Open("../../testdata/scenes/arm.gltf"))(t)
		require.NoError(t, gltf.SaveBinary(doc, filepath.Join(s.dir, name)))
	case ext == ".glb":
		ball := testkit.Must(model.Sphere(1, 16, 12))(t)
		data, err := model.EncodeGLB(&model.Model{
			Meshes: []model.Mesh{{Parts: []model.Part{ball}}},
			Nodes:  []model.Node{{Mesh: 0, Skin: -1, Parent: -1, Shown: true, TRS: model.Identity}},
		})
		require.NoError(t, err)
		s.write(t, name, data)
	case ext == ".yaml":
		use("testdata/scenes/lit.yaml")
	case name == "code.bin":
		words := make([]byte, 4*0x12)
		for i := 0x10; i < 0x12; i++ {
			words[4*i+3] = 0x88 // end
		}
		s.write(t, name, words)
	case strings.HasPrefix(name, "pica200-console/"):
		p := hardware.Find(strings.TrimSuffix(filepath.Base(name), ext))
		require.NotNil(t, p, name)
		buffer := testkit.Must(p.Run(t.Context()))(t)
		s.write(t, name, append(p.Header(), buffer...))
	case name == "desc.bin":
		s.write(t, name, make([]byte, 8))
	case name == "list.bin":
		use(samples + "list.bin")
	case ext == ".json":
		s.write(t, name, []byte(`{"vertices": [{"position": [0, 0, 0]}]}`))
	case name == "expected.png" || name == "actual.png" || name == "kitten.png":
		use("testdata/golden/lit-color.png")
	case name == "console.png":
		use("testdata/traces/lights-top.png")
	case ext == ".csv":
		s.write(t, name, []byte("position.x,position.y\n1,2\n"))
	default:
		t.Fatalf("this test cannot make the file %s", name)
	}
}

var (
	inputFile  = regexp.MustCompile(`^[\w/-]+(\.[vg])?\.(pica|picatrace|ctf|shbin|dvoj|3dsx|bcsdr|cgfx|bnr|t3s|t3x|ttf|glb|yaml|bin|json|csv)$|^(console|expected|actual|kitten)\.png$|^sprites\.h$`)
	outputFlag = regexp.MustCompile(`^(-o|--out|-h|--header)$`)
	separators = regexp.MustCompile(`\||&&|;`)
)

// prepare makes the input files of a line.
func (s *sandbox) prepare(t *testing.T, line string) {
	t.Helper()
	for _, command := range separators.Split(line, -1) {
		words := strings.Fields(command)
		for i, w := range words {
			if inputFile.MatchString(w) && !outputFlag.MatchString(words[i-1]) {
				s.provide(t, w)
			}
			switch w {
			case "pica200-console/":
				s.provide(t, w+"modulate.bin")
			case "banners/":
				s.provide(t, w+"banner.cgfx")
			}
			s.golden(t, words, w)
		}
	}
}

// golden makes the suites and reports that a golden command reads.
func (s *sandbox) golden(t *testing.T, words []string, w string) {
	t.Helper()
	switch dir := strings.TrimSuffix(w, "/results.json"); {
	case w == "testdata/golden" && slices.Contains(words, "history"):
		s.suite(t)
		if _, err := exec.LookPath("git"); err != nil {
			t.Skip("git is not installed")
		}
		s.run(t, "cd testdata/golden && git init -q && git add . && git -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false commit -qm x")
	case w == "testdata/golden":
		s.suite(t)
	case w == "runs/":
		s.suite(t)
		s.run(t, "pica200 golden run testdata/golden --out runs/a")
	case strings.HasPrefix(w, "shard") && strings.HasSuffix(w, "/"):
		s.suite(t)
		s.run(t, "pica200 golden run testdata/golden --shard "+w[5:6]+"/2 --out "+w)
	case strings.TrimSuffix(dir, "/") == "report" && slices.Contains(words, "approve"):
		s.suite(t)
		s.write(t, "testdata/golden/shadow-color.png", testkit.Read(t, "../../testdata/golden/cel-color.png"))
		s.run(t, "pica200 golden run testdata/golden --out "+dir+" || test $? = 1")
	}
}

// suite makes a golden suite with approved cases.
func (s *sandbox) suite(t *testing.T) {
	t.Helper()
	s.write(t, "testdata/golden/shadow.yaml", []byte("target: {width: 64, height: 32, clear: {color: [0.2, 0.4, 0.6, 1], depth: 1}}\nmodels: {q: {shape: box}}\ndraws: [{model: q}]\n"))
	s.write(t, "testdata/golden/shadow.case.yaml", []byte("source: shadow.yaml\nimages: [{target: color}]\n"))
	s.write(t, "testdata/golden/lit.case.yaml", []byte("source: shadow.yaml\nimages: [{target: color}, {target: depth}]\n"))
	s.write(t, "testdata/golden/geometry-a.case.yaml", []byte("source: shadow.yaml\n"))
	s.run(t, "pica200 golden update testdata/golden")
}

// Every example in every --help runs.
func TestHelpExamples(t *testing.T) {
	testkit.Slow(t)
	k := testkit.Must(kong.New(&cli{}, kong.Name("pica200")))(t)
	example := regexp.MustCompile(`(?m)^ +pica200 (.+)$`)
	total := 0
	for _, node := range commands(k.Model.Node) {
		for _, found := range example.FindAllString(node.Detail, -1) {
			line := strings.TrimSpace(found)
			total++
			t.Run(line, func(t *testing.T) {
				s := newSandbox(t)
				s.prepare(t, line)
				one := func(quoted string) string { return strings.ReplaceAll(strings.Trim(quoted, `"`), " ", "_") }
				if words := strings.Fields(regexp.MustCompile(`"[^"]*"`).ReplaceAllStringFunc(line, one)); words[1] == "view" || words[1] == "serve" { // opens a window, or runs until ended
					parser := testkit.Must(kong.New(&cli{}, kong.Name("pica200")))(t)
					testkit.Must(parser.Parse(words[1:]))(t)
					return
				}
				s.run(t, line)
				s.wrote(t, strings.TrimPrefix(line, "pica200 "))
			})
		}
		if len(node.Children) == 0 && !node.Hidden {
			require.True(t, example.MatchString(node.Detail) || example.MatchString(node.Parent.Detail),
				"the help of %s has examples", node.Name)
		}
	}
	require.Greater(t, total, 30)
}

// wrote checks the files that a line writes: their formats match their names, and all requested frames exist and differ.
func (s *sandbox) wrote(t *testing.T, line string) {
	t.Helper()
	words := strings.Fields(strings.ReplaceAll(line, "'", ""))
	value := func(flags ...string) string {
		for i, w := range words[:len(words)-1] {
			if slices.Contains(flags, w) {
				return words[i+1]
			}
		}
		return ""
	}
	out := value("-o", "--out")
	if out == "" || out == "-" {
		return
	}
	frames, _ := strconv.Atoi(value("--frames", "--turntable"))
	path := filepath.Join(s.dir, out)
	if strings.Contains(out, "%") { // one file per frame
		for i := range frames {
			requirePicture(t, fmt.Sprintf(out, i), mustRead(t, filepath.Join(s.dir, fmt.Sprintf(out, i))))
		}
		return
	}
	if strings.HasSuffix(out, "/") {
		files := listFiles(t, path)
		require.NotEmpty(t, files)
		if words[0] == "render" && value("--target") == "" { // buffers of a target may have a single value
			for _, f := range files {
				if !strings.Contains(f, "-bottom") { // the demo draws to the top screen only
					requirePicture(t, f, mustRead(t, filepath.Join(path, f)))
				}
			}
		}
		if words[0] == "render" && frames > 0 {
			require.Len(t, files, frames)
			seen := map[string]string{}
			for _, f := range files {
				data := mustRead(t, filepath.Join(path, f))
				require.Empty(t, seen[data], "%s is the picture of another frame", f)
				seen[data] = f
			}
		}
		return
	}
	data := mustRead(t, path)
	require.NotEmpty(t, data)
	switch filepath.Ext(out) {
	case ".png":
		requirePicture(t, out, data)
	case ".gif":
		g := testkit.Must(gif.DecodeAll(strings.NewReader(data)))(t)
		if frames > 0 {
			require.Len(t, g.Image, frames)
		}
		require.Greater(t, len(g.Image), 1)
		require.False(t, oneColour(g.Image[0]), "%s is of one colour", out)
	case ".ctf", ".picatrace":
		states.Parse(t, []byte(data))
	case ".shbin":
		require.True(t, strings.HasPrefix(data, "DVLB"))
	}
}

// requirePicture requires a PNG with more than one colour.
func requirePicture(t *testing.T, name, data string) {
	t.Helper()
	img := testkit.Must(png.Decode(strings.NewReader(data)))(t, name)
	require.False(t, oneColour(img), "%s is of one colour", name)
}

// oneColour reports whether a picture has a single colour.
func oneColour(img image.Image) bool {
	b := img.Bounds()
	first := img.At(b.Min.X, b.Min.Y)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if img.At(x, y) != first {
				return false
			}
		}
	}
	return true
}

// makesPicture matches a command that writes a picture, or a page with pictures.
var makesPicture = regexp.MustCompile(`^(\S*/)?pica200 (render|gallery|compare)\b.*\s(-o|--out)\s`)

// Every command in other documents that writes a picture writes one with visible content.
func TestPicturesFromDocumentedCommands(t *testing.T) {
	testkit.Slow(t)
	files := testkit.Must(filepath.Glob("../../docs/*.md"))(t)
	ran := 0
	for _, file := range files {
		s := newSandbox(t)
		for line := range strings.Lines(mustRead(t, file)) {
			line, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "$ "), " #")
			if line = strings.TrimSpace(line); !makesPicture.MatchString(line) {
				continue
			}
			ran++
			t.Run(filepath.Base(file)+": "+line, func(t *testing.T) {
				if name, ok := madeBefore[line]; ok {
					s.run(t, name)
				}
				s.prepare(t, line)
				s.run(t, line)
				s.wrote(t, line[strings.Index(line, "pica200 ")+len("pica200 "):])
			})
		}
	}
	require.Greater(t, ran, 10)
}

// madeBefore lists commands that must run first, because a later one reads their files.
var madeBefore = map[string]string{
	"pica200 render game/scene.yaml -o game.png": "pica200 demo --frames 1 -o game.ctf && pica200 scene from game.ctf -o game/",
}

func commands(n *kong.Node) (all []*kong.Node) {
	for _, c := range n.Children {
		all = append(all, c)
		all = append(all, commands(c)...)
	}
	return all
}

// Every command in the README's code blocks runs unchanged, in order, on a fresh clone; linked files exist, and make has the named
// targets.
func TestReadme(t *testing.T) {
	testkit.Slow(t)
	text := testkit.Read(t, "../../README.md")
	s := newSandbox(t)
	repo := testkit.Must(filepath.Abs("../.."))(t)
	require.NoError(t, os.RemoveAll(filepath.Join(s.dir, "testdata")))
	for _, folder := range []string{"testdata", "shaderunit"} {
		require.NoError(t, os.Symlink(filepath.Join(repo, folder), filepath.Join(s.dir, folder)))
	}
	// A code block is indented, or fenced as shell.
	fenced, shell, ran := false, false, 0
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "```"); ok {
			fenced = !fenced
			shell = fenced && (rest == "sh" || rest == "bash" || rest == "console")
			continue
		}
		if !shell && (fenced || !strings.HasPrefix(line, "    ")) {
			continue
		}
		line, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "$ "), " #")
		line = strings.TrimSpace(line)
		switch words := strings.Fields(line); {
		case len(words) == 0:
		case words[0] == "make":
			ran++
			t.Run(line, func(t *testing.T) {
				out, err := exec.Command("make", append([]string{"-C", "../..", "-n"}, words[1:]...)...).CombinedOutput()
				require.NoError(t, err, "%s", out)
			})
		case strings.HasPrefix(words[0], "bin/pica200") || words[0] == "pica200":
			ran++
			t.Run(line, func(t *testing.T) {
				if len(words) > 1 && (words[1] == "view" || words[1] == "serve") { // opens a window, or runs until ended
					return
				}
				s.run(t, line)
				s.wrote(t, strings.TrimPrefix(line, "bin/pica200 "))
			})
		case words[0] == "git" || words[0] == "cd":
		case words[0] == "go": // tests/module covers these
		default:
			t.Errorf("the README has a command that this test does not know: %s", line)
		}
	}
	require.GreaterOrEqual(t, ran, 8)
	for _, link := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(link[1], "://") {
			testkit.Must(os.Stat(filepath.Join("../..", link[1])))(t, "the README links to it")
		}
	}
}
