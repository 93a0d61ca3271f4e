package avo

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// folders are the folders whose generate.go runs the generators of this module.
var folders = []string{"pica/pixels", "assets/texture", "raster", "fragment", "shaderunit", "geometry"}

// The committed kernels are what the generators write. The go:generate lines run in a copy of the generators and of each folder.
func TestCommittedKernelsAreCurrent(t *testing.T) {
	top := t.TempDir()
	copyFiles(t, ".", filepath.Join(top, "internal", "gen", "avo"), "*")
	for _, folder := range folders {
		committed, dir := filepath.Join("..", "..", "..", filepath.FromSlash(folder)), filepath.Join(top, filepath.FromSlash(folder))
		copyFiles(t, committed, dir, "generate.go")
		copyFiles(t, committed, dir, "portable*.go")
		cmd := exec.Command("go", "generate", "generate.go")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", folder, err, out)
		}
		written, _ := filepath.Glob(filepath.Join(dir, "*"))
		if len(written) < 3 {
			t.Errorf("%s: only %v was written", folder, written)
		}
		for _, path := range written {
			name := filepath.Base(path)
			got := read(t, path)
			if want := read(t, filepath.Join(committed, name)); !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not what its generator writes; run: go generate ./%s", folder, name, folder)
			}
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// copyFiles copies files with matching names from one folder, recursively, to another.
func copyFiles(t *testing.T, from, to, match string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ok, _ := filepath.Match(match, d.Name()); !ok {
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		dst := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			return err
		}
		return os.WriteFile(dst, read(t, path), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// extensions are those that kernels may use: the ones simd.Best requires, and those that every such processor has.
var extensions = []string{"CMOV", "SSE2", "POPCNT", "AVX", "AVX2", "F16C"}

// What simd.AVX512 requires, for the code between the labels wide and rest.
var wideExtensions = []string{"AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL", "BMI2"}

var (
	function = regexp.MustCompile(`(?m)^// func (\w+)`)
	requires = regexp.MustCompile(`(?m)^// Requires: (.*)$`)
	widePart = regexp.MustCompile(`(?s)\nwide:.*?(\nrest:|\z)`)
	// behindAVX2 are registers of EVEX instructions, which the generator's allocator takes when the others are in use.
	behindAVX2 = regexp.MustCompile(`\b([XY](1[6-9]|2[0-9]|3[01])|Z[0-9]+|K[0-7])\b`)
	// fused instructions round once. These kernels divide by them, with the result of a division.
	fused     = regexp.MustCompile(`\bVFN?M(ADD|SUB)\w+`)
	quotients = regexp.MustCompile(`^(weights|blocks|quads)\w*Vector$`)
	// wideOnly are kernels that are called only where AVX-512 is chosen.
	wideOnly = regexp.MustCompile(`^(bilinearCells|cells)Vector$`)
)

// Kernels need only what every processor with AVX2 has, but for what they do with AVX-512 alone.
func TestKernelsNeedAVX2AndNoMore(t *testing.T) {
	named := map[string]bool{}
	for _, folder := range folders {
		files, _ := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(folder), "*_amd64.s"))
		if len(files) == 0 {
			t.Errorf("%s has no kernels", folder)
		}
		for _, path := range files {
			code := read(t, path)
			if found := beyond(code); len(found) > 0 {
				t.Errorf("%s uses %s", path, found)
			}
			for _, line := range requires.FindAllSubmatch(code, -1) {
				for name := range strings.SplitSeq(string(line[1]), ", ") {
					named[name] = true
				}
			}
		}
	}
	for _, name := range []string{"AVX2", "AVX512F", "FMA3"} {
		if !named[name] {
			t.Errorf("no kernel states that it requires %s: the generator's format of requirements has changed", name)
		}
	}
	for _, bad := range []string{"\tVPADDD Y16, Y1, Y2", "\tVMOVUPS (AX), X31", "\tVPADDD Z1, Z2, Z3", "\tKMOVB K1, AX", "// Requires: AVX, FMA3",
		"// Requires: AVX512F", "// Requires: AVX512VBMI\nwide:\n", "\tVFMADD231PS Y1, Y2, Y3", "wide:\n\tRET\nrest:\n\tVPADDD Z1, Z2, Z3"} {
		if len(beyond([]byte("// func aVector()\n"+bad))) == 0 {
			t.Errorf("%q passes", bad)
		}
	}
}

// beyond lists the forbidden registers, instructions and extensions in a file of kernels.
func beyond(code []byte) (found []string) {
	for _, at := range slices.Backward(function.FindAllSubmatchIndex(code, -1)) {
		kernel, name := code[at[0]:], string(code[at[2]:at[3]])
		code = code[:at[0]]
		if wideOnly.MatchString(name) {
			kernel = append([]byte("\nwide:"), kernel...)
		}
		allowed := slices.Clone(extensions)
		if quotients.MatchString(name) {
			allowed = append(allowed, "FMA3")
		} else {
			for _, i := range fused.FindAll(kernel, -1) {
				found = append(found, string(i))
			}
		}
		if widePart.Match(kernel) {
			allowed = append(allowed, wideExtensions...)
		}
		for _, r := range behindAVX2.FindAll(widePart.ReplaceAll(kernel, nil), -1) {
			found = append(found, string(r))
		}
		for _, line := range requires.FindAllSubmatch(kernel, -1) {
			for name := range strings.SplitSeq(string(line[1]), ", ") {
				if !slices.Contains(allowed, name) {
					found = append(found, name)
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
