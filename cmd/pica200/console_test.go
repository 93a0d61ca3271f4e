//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Control sequences are escaped, however the output is split into writes.
func TestOutputEscapesControlSequences(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"Größe 寸法 😀", "Größe 寸法 😀"},
		{"\x1b[2Jgone", `\u001b[2Jgone`},
		{"a\rb\bc\ad\x00e\x7f", `a\u000db\u0008c\u0007d\u0000e\u007f`},
		{"\u009b2J \u0085", `\u009b2J \u0085`},
		{"abc\u202egnp.\u2069", `abc\u202egnp.\u2069`},
		{"\x9b2J \xff \xe2\x80", `\x9b2J \xff \xe2\x80`},
	} {
		for cut := range len(c.in) + 1 {
			var b bytes.Buffer
			w := text{w: &b}
			for _, part := range []string{c.in[:cut], c.in[cut:]} {
				n := testkit.Must(w.Write([]byte(part)))(t)
				require.Equal(t, len(part), n)
			}
			w.close()
			require.Equal(t, c.want, b.String(), "%q cut at %d", c.in, cut)
		}
	}
}

// An output that is an input under any name is refused and nothing changes; so is one file for two outputs.
func TestOutputsThatAreInputsAreRefused(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	copyFile := func(from, to string) {
		t.Helper()
		require.NoError(t, os.WriteFile(at(to), testkit.Read(t, from), 0o666))
	}
	copyFile("../../shaderunit/shaders/pica/textured.v.pica", "s.pica")
	copyFile(demoTrace(t), "t.ctf")
	require.NoError(t, os.WriteFile(at("s.yaml"), []byte(`
textures: {a: {file: tex.png}}
models: {q: {shape: quad}}
programs: {p: {sources: [s.pica]}}
draws: [{model: q, textures: [a]}]
`), 0o666))
	copyFile("../../testdata/golden/lit-color.png", "tex.png")
	copyFile("../../testdata/golden/lit-color.png", "m.png")
	require.NoError(t, os.WriteFile(at("t.t3s"), []byte("-f rgba8\ntex.png\n"), 0o666))
	require.NoError(t, os.WriteFile(at("s.shlist"), []byte("s.pica\n"), 0o666))
	require.NoError(t, os.WriteFile(at("m.mtl"), []byte("newmtl m\nmap_Kd m.png\n"), 0o666))
	require.NoError(t, os.WriteFile(at("m.obj"), []byte("mtllib m.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n"), 0o666))
	require.NoError(t, os.WriteFile(at("code.bin"), []byte{0, 0, 0, 0x88}, 0o666)) // end
	require.NoError(t, os.WriteFile(at("desc.bin"), []byte{0x6F, 3, 0, 0}, 0o666))
	ok(t, "asm", at("s.pica"), "-o", at("s.shbin"))
	ok(t, "asm", "-c", at("s.pica"), "-o", at("s.dvoj"))
	for _, name := range listFiles(t, dir) {
		bare := strings.ReplaceAll(name, ".", "_") // without an ending, which would be refused first
		require.NoError(t, os.Symlink(name, at("link-"+bare)))
		require.NoError(t, os.Link(at(name), at("hard-"+bare)))
	}
	before := map[string]string{}
	for _, name := range listFiles(t, dir) {
		before[name] = mustRead(t, at(name))
	}
	for _, line := range []string{
		"asm s.pica -o link-s_pica", "asm link-s_pica -o hard-s_pica", "asm s.pica -o hard-s_pica",
		"asm s.pica --header hard-s_pica -o new", "asm s.pica -h hard-s_pica -o new", "asm s.pica --header link-s_pica -o new",
		"asm s.pica --header new -o new", "asm s.pica --header new -o ./new",
		"disasm s.shbin -o link-s_shbin", "disasm link-s_shbin -o hard-s_shbin", "disasm --raw code.bin --descriptors desc.bin -o hard-desc_bin",
		"link s.dvoj -o hard-s_dvoj", "link s.dvoj -o link-s_dvoj",
		"extract s.shbin -o s.shbin", "extract s.shbin -o hard-s_shbin --c-array",
		"trace save s.yaml -o hard-s_yaml", "trace save s.yaml -o link-s_yaml", "trace save s.yaml -o hard-tex_png", "trace save s.yaml -o link-s_pica",
		"trace save m.obj -o link-m_mtl", "trace save m.obj -o hard-m_png",
		"render s.yaml -o hard-s_yaml", "render s.yaml -o link-s_yaml", "render s.yaml -o tex.png", "render s.yaml -o hard-tex_png", "render m.obj -o m.png",
		"tex t.t3s -o link-tex_png", "tex t.t3s -o hard-tex_png", "tex t.t3s -o new --header hard-tex_png", "tex t.t3s -o link-tex_png --header new",
		"tex t.t3s -o new --preview tex.png", "asm s.shlist -o hard-s_pica", "asm s.shlist -o link-s_shlist", "asm s.shlist -o new --depfile s.shlist",
		"gallery . -o . --sheet hard-tex_png",
		"render t.ctf -o link-t_ctf", "render t.ctf -o hard-t_ctf", "trace convert t.ctf -o t.ctf", "blame t.ctf tex.png --html hard-t_ctf",
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(line)
			for i, a := range args {
				if strings.ContainsAny(a, "._") && a[0] != '-' || a == "new" {
					args[i] = dir + "/" + a
				}
			}
			status, _, stderr := invoke(t, args...)
			require.NotZero(t, status)
			require.Regexp(t, "would be (overwritten|written twice)", stderr)
			for name, was := range before {
				require.Equal(t, was, mustRead(t, at(name)), name)
			}
			require.Len(t, listFiles(t, dir), len(before), "no file is added: %s", stderr)
		})
	}
}
