//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

func TestPicassoByProgramName(t *testing.T) {
	for arg0, want := range map[string]bool{
		"picasso": true, "/opt/devkitpro/tools/bin/picasso": true, `C:\tools\Picasso.EXE`: true, "./picasso": true,
		"pica200": false, "picasso2": false, "picasso/pica200": false, "": false,
	} {
		require.Equal(t, want, calledPicasso(arg0), arg0)
	}
}

func TestPicassoArgs(t *testing.T) {
	all := picassoArgs{out: "o", header: "h", sources: []string{"a", "b"}}
	for _, c := range []struct {
		args []string
		want picassoArgs
	}{
		{[]string{"-o", "o", "-h", "h", "a", "b"}, all},
		{[]string{"a", "-oo", "-hh", "b"}, all},
		{[]string{"a", "b", "--out=o", "--header", "h"}, all},
		{[]string{"--ou", "o", "--hea=h", "a", "--", "b"}, all},
		{[]string{"-no", "o", "a"}, picassoArgs{out: "o", noNop: true, sources: []string{"a"}}},
		{[]string{"-nox", "--", "-n"}, picassoArgs{out: "x", noNop: true, sources: []string{"-n"}}},
		{[]string{"--no-nop", "-"}, picassoArgs{noNop: true, sources: []string{"-"}}},
		{[]string{"-v"}, picassoArgs{version: true}},
		{[]string{"--help", "-?"}, picassoArgs{ask: true}},
		{[]string{"--out=", "a"}, picassoArgs{sources: []string{"a"}}},
	} {
		got := testkit.Must(parsePicasso(c.args))(t, c.args)
		require.Equal(t, c.want, got, c.args)
	}
	for want, args := range map[string][]string{
		"invalid option -- 'x'":                        {"a", "-nx"},
		"option requires an argument -- 'o'":           {"a", "-o"},
		"option '--out' requires an argument":          {"--out"},
		"option '--version' doesn't allow an argument": {"--version=2"},
		"unrecognized option '--lint'":                 {"--lint"},
		"option '--he' is ambiguous":                   {"--he", "x"},
		"option '--' is ambiguous":                     nil,
	} {
		if args != nil {
			_, err := parsePicasso(args)
			require.EqualError(t, err, want)
		}
	}
}

func picasso(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = runPicasso(newConsole(&out, &err), args)
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
