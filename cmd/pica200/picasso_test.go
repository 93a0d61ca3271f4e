//go:build linux

package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/pica"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

func TestToolByProgramName(t *testing.T) {
	for arg0, want := range map[string]*otherTool{
		"picasso": &picassoTool, "/opt/devkitpro/tools/bin/picasso": &picassoTool, `C:\tools\Picasso.EXE`: &picassoTool, "./tex3ds": &tex3dsTool,
		"nihstro-assemble": &nihstroTool, "pica200": nil, "picasso2": nil, "picasso/pica200": nil, "": nil, "nihstro": nil,
	} {
		require.Equal(t, want, calledAs(arg0), arg0)
	}
}

func TestToolArgs(t *testing.T) {
	say := func(p toolArgs) string {
		text := ""
		for _, g := range p.given {
			text += g.name + "=" + g.value + " "
		}
		return text + strings.Join(p.files, " ")
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"out=o header=h a b", []string{"-o", "o", "-h", "h", "a", "b"}},
		{"out=o header=h a b", []string{"a", "-oo", "-hh", "b"}},
		{"out=o header=h a b", []string{"a", "b", "--out=o", "--header", "h"}},
		{"out=o header=h a b", []string{"--ou", "o", "--hea=h", "a", "--", "b"}},
		{"no-nop= out=o a", []string{"-no", "o", "a"}},
		{"no-nop= out=x -n", []string{"-nox", "--", "-n"}},
		{"no-nop= -", []string{"--no-nop", "-"}},
		{"version= ", []string{"-v"}},
		{"help= help= ", []string{"--help", "-?"}},
		{"out= a", []string{"--out=", "a"}},
	} {
		require.Equal(t, c.want, say(testkit.Must(picassoTool.parse(c.args))(t, c.args)), c.args)
	}
	for want, args := range map[string][]string{
		"invalid option -- 'x'":                        {"a", "-nx"},
		"option requires an argument -- 'o'":           {"a", "-o"},
		"option '--out' requires an argument":          {"--out"},
		"option '--version' doesn't allow an argument": {"--version=2"},
		"unrecognized option '--lint'":                 {"--lint"},
		"option '--he' is ambiguous":                   {"--he", "x"},
	} {
		_, err := picassoTool.parse(args)
		require.EqualError(t, err, want)
	}
}

// Called as nihstro-assemble, the program starts at the named label, and makes a geometry shader where that is asked for.
func TestNihstroByName(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "x.vsh")
	require.NoError(t, os.WriteFile(source, []byte("// no line tells the language\na:\n\tmov o0, v0\n\tend\nmain:\n\tmov o1, v1.yyyy\n\tend\n"), 0o666))
	for _, c := range []struct {
		args  []string
		entry uint32
		kind  shbin.ShaderType
	}{
		{[]string{source, "-o"}, 2, shbin.VertexShader},
		{[]string{"--entry", "a", "-i", source, "--output"}, 0, shbin.VertexShader},
		{[]string{"-gemain", source, "-o"}, 2, shbin.GeometryShader},
	} {
		out := filepath.Join(dir, "x.shbin")
		var said bytes.Buffer
		require.Zero(t, nihstroTool.call(newConsole(&said, &said), append(c.args, out)), said.String())
		f := testkit.Must(shbin.Parse(testkit.Read(t, out)))(t)
		require.Equal(t, c.entry, f.Executables[0].Main, c.args)
		require.Equal(t, c.kind, f.Executables[0].Type, c.args)
	}
	for want, args := range map[string][]string{
		`there is no label "begin"`: {source, "-o", "y", "-e", "begin"}, "one input file is expected, and 0 are named": {"-o", "y"}, "and 2 are named": {source, source, "-o", "y"},
		"no output file is specified": {source}, "Usage: nihstro-assemble": {"-q"},
	} {
		var said bytes.Buffer
		require.Equal(t, exitFailed, nihstroTool.call(newConsole(&said, &said), args))
		require.Contains(t, said.String(), want)
	}
}

// Called as tex3ds, the program writes what "pica200 tex" writes; a list names pictures beside it, and no output.
func TestTex3dsByName(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Mkdir(at("gfx"), 0o777))
	for _, name := range []string{"gfx/a.png", "b.png"} {
		m := image.NewNRGBA(image.Rect(0, 0, 9, 5))
		m.SetNRGBA(3, 2, color.NRGBA{200, 100, 7, 255})
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, m))
		require.NoError(t, os.WriteFile(at(name), b.Bytes(), 0o666))
	}
	require.NoError(t, os.WriteFile(at("gfx/list.t3s"), []byte("--atlas -f rgb565\na.png"), 0o666))
	require.NoError(t, os.WriteFile(at("gfx/bad.t3s"), []byte("-o ../b.png a.png"), 0o666))
	var said bytes.Buffer
	require.Zero(t, tex3dsTool.call(newConsole(&said, &said), []string{"-i", at("gfx/list.t3s"), at("b.png"), "-H", at("s.h"), "-d", at("s.d"), "-o", at("s.t3x"), "-p" + at("s.png"), "-m", "box"}), said.String())
	x := testkit.Must(texture.ParseT3X(testkit.Read(t, at("s.t3x"))))(t)
	require.Equal(t, pica.TextureFormatRGB565, x.Format)
	require.Len(t, x.SubTextures, 2)
	require.Contains(t, string(testkit.Read(t, at("s.h"))), "#define s_a_idx 0\n#define s_b_idx 1\n")
	require.Contains(t, string(testkit.Read(t, at("s.d"))), at("s.t3x")+" "+at("s.h")+": \\\n  "+at("gfx/list.t3s")+" \\\n  "+at("gfx/a.png")+" \\\n  "+at("b.png"))
	preview := testkit.Must(png.DecodeConfig(bytes.NewReader(testkit.Read(t, at("s.png")))))(t)
	require.Equal(t, [2]int{x.Width * 3 / 2, x.Height}, [2]int{preview.Width, preview.Height})
	want := testkit.Read(t, at("s.t3x"))
	ok(t, "tex", at("gfx/list.t3s"), at("b.png"), "-o", at("t.t3x"), "-m", "box")
	require.Equal(t, want, testkit.Read(t, at("t.t3x")))

	// Pictures of a texture, by names and numbers; compared and converted.
	ok(t, "extract", at("s.t3x"), "-o", at("parts")+"/", "--names", at("s.h"))
	ok(t, "extract", at("s.t3x"), "-o", at("one.png"), "--number", "1")
	ok(t, "compare", at("parts/s_b.png"), at("one.png"))
	ok(t, "compare", at("parts/s.png"), at("s.t3x"))
	ok(t, "convert", at("s.t3x"), "-o", at("whole.png"))
	ok(t, "compare", at("whole.png"), at("s.t3x"))
	ok(t, "convert", at("s.t3x"), "-o", at("etc.t3x"), "--format", "etc1a4")
	etc := testkit.Must(texture.ParseT3X(testkit.Read(t, at("etc.t3x"))))(t)
	require.Equal(t, [...]any{pica.TextureFormatETC1A4, x.Levels, x.SubTextures}, [...]any{etc.Format, etc.Levels, etc.SubTextures})
	ok(t, "convert", at("b.png"), "-o", at("b.t3x"), "--format", "l8")
	require.Equal(t, pica.TextureFormatI8, testkit.Must(texture.ParseT3X(testkit.Read(t, at("b.t3x"))))(t).Format)
	ok(t, "tex", "--cubemap", cross(t, dir), "-o", at("c.t3x"), "--preview", at("c.png"), "--raw")
	for _, name := range []string{"px_c.png", "nz_c.png"} {
		require.FileExists(t, at(name))
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"a file to write is named on the command line", []string{"tex", at("gfx/bad.t3s"), "-o", at("x")}},
		{"has names of 2 pictures, the texture has 1", []string{"extract", at("b.t3x"), "--names", at("s.h")}},
		{"--number 1: the texture has 1 pictures", []string{"extract", at("b.t3x"), "-o", at("x.png"), "--number", "1"}},
		{"--names is for a texture", []string{"extract", "../../testdata/models/arm.cgfx", "--names", at("s.h")}},
		{"there are none, transparent, edge", []string{"tex", at("b.png"), "-o", at("x"), "--border", "round"}},
		{"a font needs a FILE", []string{"tex", "-o", at("x.bcfnt")}},
		{"--only or --without", []string{"tex", at("b.png"), "-o", at("x.bcfnt"), "--only", "a", "--without", "b"}},
		{"are for fonts: -o FILE.bcfnt", []string{"tex", at("b.png"), "-o", at("x"), "--size", "9"}},
		{"tex needs -o FILE", []string{"tex", at("b.png")}},
		{"tex needs a FILE", []string{"tex", "-o", at("x")}},
	} {
		_, _, stderr := invoke(t, c.args...)
		require.Contains(t, stderr, c.want, c.args)
	}
	require.NoFileExists(t, at("x"))
}

// cross writes a cross of squares of 8x8 pixels.
func cross(t *testing.T, dir string) string {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 32, 24))))
	name := filepath.Join(dir, "cross.png")
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o666))
	return name
}

func picasso(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = picassoTool.call(newConsole(&out, &err), args)
	return status, out.String(), err.String()
}

// Called as picasso, the program gives the same bytes and errors for the same sources.
func TestPicassoBytesAndErrors(t *testing.T) {
	dir := t.TempDir()
	good, bad := shaderFile(t, "good.v.pica", goodShader), shaderFile(t, "bad.v.pica", ".proc main\n\tmvo r0, r1\n.end\n")
	out, header := filepath.Join(dir, "x.shbin"), filepath.Join(dir, "x.h")
	status, stdout, stderr := picasso("-o", out, "-h"+header, good)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout+stderr)
	prog, _ := asm.Assemble(asm.Options{}, asm.Source{Name: good, Text: []byte(goodShader)})
	want := testkit.Must(prog.Bytes())(t)
	require.Equal(t, want, testkit.Read(t, out))
	require.Equal(t, prog.Header(), mustRead(t, header))

	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 1, "no input files are specified\nUsage: picasso"},
		{[]string{good}, 1, "no output file is specified"},
		{[]string{"-x"}, 1, "invalid option -- 'x'\nUsage: picasso"},
		{[]string{"-o", out, "/nowhere.pica"}, 1, "nowhere.pica"},
		{[]string{"-o", good, good}, 1, "would be overwritten"},
		{[]string{"-o", filepath.Join(dir, "bad.shbin"), bad}, 1, "did you mean mov?"},
		{[]string{"--help"}, 0, "Usage: picasso [options] files..."},
		{[]string{"-v"}, 0, "picasso - pica200 "},
	} {
		status, stdout, stderr := picasso(c.args...)
		require.Equal(t, c.status, status, c.args)
		require.Contains(t, stdout+stderr, c.want)
	}
	require.NoFileExists(t, filepath.Join(dir, "bad.shbin"))
	status, _, stderr = picasso("-o", "/dev/full", good)
	require.Equal(t, 1, status)
	require.Contains(t, stderr, "no space left")
}

// recipe returns the code block of a language in docs/ASSEMBLER.md.
func recipe(t *testing.T, language string) string {
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(mustRead(t, "../../docs/ASSEMBLER.md"), -1)
	require.Len(t, found, 1, "blocks of %s", language)
	return found[0][1]
}

// project is a folder with the shaders used by the recipes of docs/ASSEMBLER.md, and a program named picasso: this one, or the
// reference assembler of PICA200_PICASSO.
func project(t *testing.T, reference string) *sandbox {
	s := newSandbox(t)
	for _, name := range []string{"basic.v.pica", "particles.v.pica", "particles.g.pica"} {
		s.write(t, name, testkit.Read(t, "../../shaderunit/shaders/pica/"+name))
	}
	s.write(t, "both.shlist", []byte("basic.v.pica\nparticles.g.pica\n"))
	link := filepath.Join(s.dir, "bin", "picasso")
	if reference == "" {
		reference = filepath.Join(s.dir, "bin", "pica200")
	}
	require.NoError(t, os.Symlink(reference, link))
	return s
}

// built returns the shader binaries and headers below a folder by name.
func built(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	for _, pattern := range []string{"*.shbin", "*.h", "build/*.shbin", "build/*.h"} {
		names := testkit.Must(filepath.Glob(filepath.Join(dir, pattern)))(t)
		for _, name := range names {
			files[filepath.Base(name)] = mustRead(t, name)
		}
	}
	return files
}

// wantBuilt returns what the recipes must build.
func wantBuilt(t *testing.T, s *sandbox) map[string]string {
	files := map[string]string{}
	for out, names := range map[string][]string{"basic": {"basic.v.pica"}, "particles": {"particles.v.pica", "particles.g.pica"}, "both": {"basic.v.pica", "particles.g.pica"}} {
		var sources []asm.Source
		for _, n := range names {
			sources = append(sources, asm.Source{Name: n, Text: testkit.Read(t, filepath.Join(s.dir, n))})
		}
		prog, diags := asm.Assemble(asm.Options{}, sources...)
		require.NoError(t, diags.Err())
		data := testkit.Must(prog.Bytes())(t)
		files[out+".shbin"], files[out+".h"] = string(data), prog.Header()
	}
	return files
}

// The documented recipes build the assembler's output byte for byte. With PICA200_PICASSO, the reference assembler builds the same
// files.
func TestBuildRecipes(t *testing.T) {
	for _, c := range []struct{ language, file, program, run, again string }{
		{"make", "Makefile", "make", "make", "make -q"},
		{"cmake", "CMakeLists.txt", "cmake", "cmake -S . -B build -DCTR_PICASSO_EXE=$PWD/bin/picasso && cmake --build build", "cmake --build build"},
	} {
		t.Run(c.language, func(t *testing.T) {
			if _, err := exec.LookPath(c.program); err != nil {
				t.Skipf("%s is not installed", c.program)
			}
			s := project(t, "")
			s.write(t, c.file, []byte(recipe(t, c.language)))
			s.run(t, c.run)
			want := wantBuilt(t, s)
			require.Equal(t, want, built(t, s.dir))
			s.run(t, c.again)
			// A changed source is rebuilt.
			s.write(t, "basic.v.pica", append(testkit.Read(t, filepath.Join(s.dir, "basic.v.pica")), ".proc unused\n\tnop\n.end\n"...))
			s.run(t, "touch -d '1 minute' basic.v.pica; "+c.run)
			require.NotEqual(t, want, built(t, s.dir))
			require.Equal(t, wantBuilt(t, s), built(t, s.dir))
			if reference := os.Getenv("PICA200_PICASSO"); reference != "" && c.language == "cmake" {
				s := project(t, reference)
				s.write(t, c.file, []byte(recipe(t, c.language)))
				s.run(t, c.run)
				require.Equal(t, want, built(t, s.dir))
			}
		})
	}
}
