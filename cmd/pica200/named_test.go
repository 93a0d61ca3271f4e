//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// naming is a format with files that name others.
type naming struct {
	format string
	target string                              // a good file of the kind that is named
	files  func(name string) map[string]string // the file that has the name, and what it needs
	line   string                              // the command, with IN for that file and OUT
	place  string                              // of the name, in messages
	spare  string                              // what is said if the rest is drawn without it; "" if it is needed
}

// One rule for the files that files name: what lies below the folder of the file or a --root is read, by whatever name; for anything
// else the message has the file, the position that names it, and --root. Without the picture of a material a model is drawn.
func TestFilesThatFilesName(t *testing.T) {
	picture := string(testkit.Read(t, "../../testdata/golden/lit-color.png"))
	shader := mustRead(t, "../../shaderunit/shaders/pica/textured.v.pica")
	binary := ok(t, "asm", "../../shaderunit/shaders/pica/textured.v.pica", "-o", "-")
	gltf := func(buffer, image string) string {
		return fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":60,"uri":%q}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}],
"images":[{"uri":%q}],"textures":[{"source":0}],"materials":[{"normalTexture":{"index":0}}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}`, buffer, image)
	}
	const obj = "mtllib %s\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n"
	points := make([]byte, 60)
	points[12+3], points[24+4+3], points[12+2], points[24+4+2] = 0x3F, 0x3F, 0x80, 0x80
	one := func(file, text string) map[string]string { return map[string]string{file: text} }
	const without = "; the material is drawn without this image"
	formats := []naming{
		{"scene, picture", picture, func(name string) map[string]string {
			return one("a.yaml", fmt.Sprintf("textures: {a: {file: %q}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, textures: [a]}]\n", name))
		}, "render IN -o OUT", "a.yaml:1:", ""},
		{"scene, faces", picture, func(name string) map[string]string {
			return one("a.yaml", fmt.Sprintf("textures: {a: {faces: [%q%s]}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, textures: [a]}]\n", name, strings.Repeat(fmt.Sprintf(", %q", name), 5)))
		}, "render IN -o OUT", "a.yaml:1:", ""},
		{"scene, binary", binary, func(name string) map[string]string {
			return one("a.yaml", fmt.Sprintf("programs: {a: {file: %q}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, program: a}]\n", name))
		}, "render IN -o OUT", "a.yaml:1:", ""},
		{"scene, shader", shader, func(name string) map[string]string {
			return one("a.yaml", fmt.Sprintf("programs: {a: {sources: [%q]}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, program: a}]\n", name))
		}, "render IN -o OUT", "a.yaml:1:", ""},
		{"scene, model", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", func(name string) map[string]string {
			return one("a.yaml", fmt.Sprintf("models: {q: %q}\ndraws: [{model: q}]\n", name))
		}, "render IN -o OUT", "a.yaml:1:", ""},
		{"glTF, buffer", string(points), func(name string) map[string]string {
			return map[string]string{"a.gltf": gltf(name, "p.png"), "p.png": picture}
		}, "render IN -o OUT", "a.gltf: buffer 0: ", ""},
		{"glTF, picture", picture, func(name string) map[string]string {
			return map[string]string{"a.gltf": gltf("p.bin", name), "p.bin": string(points)}
		}, "render IN -o OUT", "image 0: ", without},
		{"OBJ, library", "newmtl m\n", func(name string) map[string]string { return one("a.obj", fmt.Sprintf(obj, name)) },
			"render IN -o OUT", "line 1: ", "; default materials are used"},
		{"MTL, picture", picture, func(name string) map[string]string {
			return map[string]string{"a.obj": fmt.Sprintf(obj, "m.mtl"), "m.mtl": "newmtl m\nnorm " + name + "\n"}
		}, "render IN -o OUT", "m.mtl: line 2: ", without},
		{"t3s", picture, func(name string) map[string]string {
			return one("a.t3s", "-f rgba8\n"+name+"\n")
		}, "tex IN -o OUT", "a.t3s:2: ", ""},
		{"shlist", shader, func(name string) map[string]string { return one("a.shlist", "\n"+name+"\n") }, "asm IN -o OUT", "a.shlist:2: ", ""},
	}
	for _, f := range formats {
		for _, c := range []struct{ kind, name, want string }{
			{"relative", "sub/x", ""},
			{"with backslashes", `sub\x`, ""},
			{"by way of the folder above", "../in/sub/x", ""},
			{"absolute, inside", "DIR/in/sub/x", ""},
			{"link inside", "within", ""},
			{"outside", "../out/x", "lies outside of the folder"},
			{"absolute, outside", "DIR/out/x", "lies outside of the folder"},
			{"Windows path", `C:\art\x`, "lies outside of the folder"},
			{"link outside", "link", "lies outside of the folder"},
			{"folder that is a link", "folder/x", "lies outside of the folder"},
			{"missing", "sub/none", "no such file|is not a file"},
			{"link to nothing", "gone", "lies outside of the folder"},
			{"damaged", "sub/bad", "."},
		} {
			t.Run(f.format+"/"+c.kind, func(t *testing.T) {
				dir := t.TempDir()
				put := func(name, text string) {
					require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
					require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
				}
				ext := map[bool]string{true: ".pica"}[f.target == shader]
				if f.format == "scene, model" {
					ext = ".obj"
				}
				put("in/sub/x"+ext, f.target)
				put("in/sub/bad"+ext, "v 1 2")
				put("out/x"+ext, f.target)
				for link, to := range map[string]string{"within": "sub/x", "link": "../out/x", "gone": "../out/none"} {
					require.NoError(t, os.Symlink(to+ext, filepath.Join(dir, "in", link+ext)))
				}
				require.NoError(t, os.Symlink("../out", filepath.Join(dir, "in/folder")))
				name := strings.Replace(c.name, "DIR", dir, 1) + ext
				for file, text := range f.files(name) {
					put("in/"+file, text)
				}
				in := ""
				for _, file := range []string{"a.yaml", "a.gltf", "a.obj", "a.t3s", "a.shlist"} {
					if _, err := os.Stat(filepath.Join(dir, "in", file)); err == nil {
						in = filepath.Join(dir, "in", file)
					}
				}
				args := strings.Fields(strings.NewReplacer("IN", in, "OUT", filepath.Join(dir, "picture")).Replace(f.line))
				status, _, stderr := invoke(t, args...)
				switch {
				case c.want == "":
					require.Zero(t, status, stderr)
					require.NotContains(t, stderr, "without")
					require.NotContains(t, stderr, "default materials")
					return
				case f.spare != "" && !(f.format == "OBJ, library" && c.kind == "damaged"):
					require.Zero(t, status, stderr)
					require.Contains(t, stderr, f.spare)
				default:
					require.Equal(t, 1, status, stderr)
				}
				require.Regexp(t, c.want, stderr)
				if c.kind == "damaged" {
					return
				}
				require.Contains(t, stderr, f.place)
				require.Contains(t, stderr, filepath.Base(strings.ReplaceAll(name, `\`, "/")))
				if !strings.Contains(c.want, "lies outside") {
					return
				}
				require.Contains(t, stderr, "--root")
				// The root that the message asks for helps, except for a drive that is not here.
				status, _, stderr = invoke(t, append(args, "--root", filepath.Join(dir, "out"))...)
				if c.kind == "Windows path" || c.kind == "link to nothing" {
					return
				}
				require.Zero(t, status, stderr)
				require.NotContains(t, stderr, "without")
			})
		}
	}
}
