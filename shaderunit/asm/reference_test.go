package asm_test

import (
	"bytes"
	"flag"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// referenceEnv names the reference assembler, to compare with it on damaged sources.
const referenceEnv = "PICA200_PICASSO"

var referenceTime = flag.Duration("reference-time", 5*time.Second, "how long TestReferenceOnDamagedSources compares")

// reference runs the reference assembler; out is nil if it rejects the sources.
func reference(t testing.TB, program, dir string, args []string, sources [][]byte) (out []byte, stderr string) {
	shbin := filepath.Join(dir, "out.shbin")
	os.Remove(shbin)
	argv := append([]string{"-o", shbin}, args...)
	for i, s := range sources {
		name := filepath.Join(dir, "s"+strconv.Itoa(i)+".pica")
		require.NoError(t, os.WriteFile(name, s, 0o600))
		argv = append(argv, name)
	}
	cmd := exec.Command(program, argv...)
	var b bytes.Buffer
	cmd.Stderr = &b
	if err := cmd.Run(); err != nil {
		return nil, b.String() + err.Error()
	}
	out = testkit.Read(t, shbin)
	return out, b.String()
}

// Both assemblers give the same output, or refuse, for sources with random changes.
func TestReferenceOnDamagedSources(t *testing.T) {
	program := os.Getenv(referenceEnv)
	if program == "" {
		t.Skipf("%s is not set: it names the program of the reference assembler", referenceEnv)
	}
	var pool [][]byte
	for _, dir := range []string{"testdata", os.Getenv(corpusEnv)} {
		if dir == "" {
			continue
		}
		for _, c := range readCorpus(t, dir) {
			pool = append(pool, c.text)
		}
	}
	require.NotEmpty(t, pool)
	seed := time.Now().UnixNano()
	rng := rand.New(rand.NewSource(seed))
	dir := t.TempDir()
	runs, accepted := 0, 0
	failures := 0
	for end := time.Now().Add(*referenceTime); time.Now().Before(end); runs++ {
		n := 1 + rng.Intn(8)/6
		var sources [][]byte
		for range n {
			sources = append(sources, damage(rng, pool))
		}
		opt := asm.Options{Picasso: true}
		var args []string
		if rng.Intn(8) == 0 {
			opt.NoNop, args = true, []string{"-n"}
		}
		header := filepath.Join(dir, "out.h")
		os.Remove(header)
		want, stderr := reference(t, program, dir, append(args, "-h", header), sources)
		if strings.Contains(stderr, "signal") {
			continue // a crash is no verdict
		}
		var list []asm.Source
		for i, s := range sources {
			list = append(list, asm.Source{"s" + strconv.Itoa(i), s})
		}
		prog, diags := asm.Assemble(opt, list...)
		var got []byte
		if prog != nil {
			got, _ = prog.Bytes()
		}
		if want != nil {
			accepted++
		}
		if wantHeader, err := os.ReadFile(header); want != nil && prog != nil && err == nil {
			require.Equal(t, string(wantHeader), prog.Header(), "seed %d", seed)
		}
		if bytes.Equal(want, got) {
			continue
		}
		failures++
		keep := filepath.Join(os.TempDir(), "pica-difference-"+strconv.Itoa(failures))
		for i, s := range sources {
			os.WriteFile(keep+"-"+strconv.Itoa(i)+".pica", s, 0o600)
		}
		t.Errorf("sources in %s-*.pica %v: reference %d bytes (%s), here %d bytes:\n%s", keep, args, len(want), stderr, len(got), diags.Error())
		if failures == 5 {
			break
		}
	}
	t.Logf("seed %d: %d sources, %d accepted", seed, runs, accepted)
}

// damage makes a variant of a source: lines swapped, removed, repeated or taken from another, words replaced, characters changed.
func damage(rng *rand.Rand, pool [][]byte) []byte {
	pick := func() []string { return strings.Split(string(pool[rng.Intn(len(pool))]), "\n") }
	lines := pick()
	for range 1 + rng.Intn(4) {
		at := rng.Intn(len(lines))
		switch rng.Intn(9) {
		case 0:
			lines = append(lines[:at:at], lines[at+1:]...)
		case 1:
			other := rng.Intn(len(lines))
			lines[at], lines[other] = lines[other], lines[at]
		case 2:
			lines = append(lines[:at+1:at+1], lines[at:]...)
		case 3:
			other := pick()
			lines = append(lines[:at:at], append([]string{other[rng.Intn(len(other))]}, lines[at:]...)...)
		case 4, 5:
			lines[at] = replaceWord(rng, lines[at])
		case 6:
			lines = append(lines[:at:at], append([]string{oddLines[rng.Intn(len(oddLines))]}, lines[at:]...)...)
		default:
			b := []byte(lines[at])
			if len(b) > 0 {
				const chars = ".,;:[]()+-!&|# \tabcvorix01259xyzw$_\"%XR\x80"
				k := rng.Intn(len(b))
				switch rng.Intn(3) {
				case 0:
					b[k] = chars[rng.Intn(len(chars))]
				case 1:
					b = append(b[:k:k], b[k+1:]...)
				default:
					b = append(b[:k:k], append([]byte{chars[rng.Intn(len(chars))]}, b[k:]...)...)
				}
			}
			lines[at] = string(b)
		}
		if len(lines) == 0 {
			lines = []string{""}
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

func replaceWord(rng *rand.Rand, line string) string {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,()[].:;", r) })
	if len(words) == 0 {
		return line
	}
	return strings.Replace(line, words[rng.Intn(len(words))], oddWords[rng.Intn(len(oddWords))], 1)
}

var oddWords = []string{
	"r0", "r15", "r16", "v0", "v1", "v14", "v15", "o0", "o6", "o7", "o15", "c0", "c95", "c96", "i0", "i3", "i7", "b0", "b15",
	"R1", "C5", "r010", "c0x10", "r1x", "v08", "c3[a0.x]", "c3[aL+2]", "c3[a0.y + 1]", "c3[2]", "c3[-1]", "c3[aL-1]", "v3[lcnt]", "r2[a0]",
	"a0", "a0.x", "a0.xy", "a1", "a01", "aL", "cmp.x", "!cmp.y", "!!cmp.x", "cmp.x && cmp.y", "cmp.x | !cmp.y", "cmp.x &| cmp.y",
	"-r1", "--r1", "- r1", "-c4.wzyx", "r3.", "r3.xyzwx", "r3.rgba", "r3.stpq", "r3.XY", "r3.yx", "position", "dummy", "texcoord0w", "pos.xy",
	"true", "off", "prim inv", "primitive", "point", "variable", "fixed", "main", "0", "1", "2", "3", "-1", "255", "256", "1e10", "nan", "-inf", "0x1.8p3", "1e-30", "-0.0",
	"mov", "mad", "madi", "dph", "dphi", "dst", "dsti", "sge", "slti", "mova", "cmp", "litp", "for", "ifu", "ifc", "call", "callu", "callc", "jmpu", "jmpc", "break", "breakc", "emit", "setemit", "nop", "end",
	"eq", "ne", "GE", "gt", ".end", ".else", ".proc", ".fvec", ".constf", "", ",", "(", ")", "[", "]", "[3]",
}

var oddLines = []string{
	".proc p1\n.end", ".proc p2\nnop\n.end", "ifu b0\n.end", "ifu b1\nnop\n.else\n.end", "ifc cmp.x\n.else\nmov r0, r1\n.end", "for i0\n.end",
	"for i1\nbreakc cmp.x\n.end", "for i0\nfor i1\nnop\n.end\n.end", "call main", "callu b3, main", "callc !cmp.x || cmp.y, main", "lbl1: jmpu !b2, lbl1", "lbl2:", "jmpc cmp.y, lbl2",
	".constfa arr[]\n.constfa (1,2,3,4)\n.end", ".constfa arr2[3]\n.constfa (1,2,3,4)\n.end", ".constfa (1,2,3,4)", ".constfa a3[1]\n.constfa(1,2,3,4)\n.constfa (5,6,7,8)\n.end",
	".nodvle", ".gsh", ".gsh point c0", ".gsh variable c48 3", ".gsh fixed c48 c0 4", ".gsh fixed c8, c8, 4", ".entry main", ".entry p1",
	".fvec u1, u2[4], _u3", ".fvec u4[90]", ".ivec n1[4]", ".bool f1[16]", ".bool f2", ".in i1a", ".in i2a v3", ".in i3a v3", ".in x1\n.in x2\n.in x3\n.in x4\n.in x5\n.in x6\n.in x7\n.in x8\n.in x9\n.in x10\n.in x11\n.in x12\n.in x13",
	".out - dummy o8", ".out - dummy o9.xy", ".out oo1 view", ".out oo2 color.rg", ".out oo3 texcoord0 o3.zw", ".out - texcoord0w o3.x",
	".setf c5(1, 2, 3, 4)", ".seti i1(1, 2, 300, -4)", ".setb b3 true", ".setb b16 true", ".setb b3, on", ".consti k1(1,2,3,4)", ".constf k2(.5, 0x10, inf, 1e400)", ".constf k3(1,2,3)", ".constf k4(1,2,3,4,5)",
	".alias al1 c5.wzyx", ".alias al2 -r3", ".alias al3 al1.xy", ".alias al4 c0[300]", "mov r1, al1[2].yy", "mov r1, al2", "mad r1, al2, al1[aL], r2", "mad r1, r2, r3, c4[a0.x]", "mad r1, r2, v3[1], c4",
	"dph r1, r2, c3", "dph r1, c3, c4", "sge r1, v1, v2", "add r1, v1, v1", "add r1, r2, c1", "cmp c1[aL], eq, ge, v3", "cmp v1, lt, le, v2", "mova a0.x, c3[a0.y]", "setemit 1, prim inv", "setemit 2", "setemit 3", "setemit 0, foo", "emit",
	"# 5 \"file.pica\"", "brea\u212a", "\u017fetemit 0", "#", ":", "a:b:c: nop", ".fvec", ".fvec a,,b", "nop,", "end x", "madi r0.x, r1.wzyx, c2.x, r3.y", "mad r0.xyz, r1, -c2, r3.wwww", "mad r0.xz, r1, r4.yx, -c3", "litp r1.xy, -r2.x", "mov r16, r0", "mov o7, r0",
}
