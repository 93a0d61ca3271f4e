package asm_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// corpusEnv names the folder of a corpus of .pica sources. The reference assembler's output for NAME.pica is NAME.shbin or
// NAME.pica.shbin; rejected.txt lists the sources that it rejects, one per line.
const corpusEnv = "PICA200_PICA_CORPUS"

type corpusSource struct {
	name     string
	text     []byte
	want     []byte // nil if rejected
	rejected bool
	opt      asm.Options // Picasso where the reference assembler fills more than the code memory
}

// rejectedSources have what stands before .proc main, and its lines ("mov r0, v0" if none) before end.
var rejectedSources = []struct{ name, before, main string }{
	{"alias_missing", ".alias a", ""},
	{"alias_name", ".alias a-b r1", ""},
	{"alias_register", ".alias r3 r4", ""},
	{"alias_twice", ".alias a r1\n.alias a r2", ""},
	{"b16", "", "ifu b16\n.end"},
	{"bad_address_register", "", "mov r0, c1[b0+1]"},
	{"bad_compare", "", "cmp r0, equal, ne, r1"},
	{"bad_component", "", "mov r0.q7, r1"},
	{"bad_condition", "", "ifc cmp.z\n.end"},
	{"bad_number", "", "mov r16, r0"},
	{"bad_swizzle", "", "mov r0.xyzwx, r1"},
	{"bad_target", "", "call 3d"},
	{"bool_full", ".bool a[17]", ""},
	{"c96", "", "mov r0, c96"},
	{"cmp_uniform", "", "cmp r0, eq, eq, c1"},
	{"const_full", ".fvec a[96]\n.constf k(1,2,3,4)", ""},
	{"constf_no_paren", ".constf k", ""},
	{"constf_short", ".constf k(1, 2, 3)", ""},
	{"constf_twice", ".fvec k\n.constf k(1,2,3,4)", ""},
	{"constfa_element", ".constfa a[]\n.constfa 1,2,3,4\n.end", ""},
	{"constfa_empty", ".constfa a[]\n.end", ""},
	{"constfa_garbage", ".constfa a[2]x", ""},
	{"constfa_many", ".constfa a[1]\n.constfa (1,2,3,4)\n.constfa (1,2,3,4)\n.end", ""},
	{"constfa_no_bracket", ".constfa a", ""},
	{"constfa_zero", ".constfa a[0]\n.end", ""},
	{"dest_relative", "", "mov r1[aL], r0"},
	{"dest_uniform", "", "mov c0, r1"},
	{"directive", ".fvecs a", ""},
	{"else_alone", "", ".else"},
	{"end_alone", ".end", ""},
	{"entry_missing", ".entry start", ""},
	{"entry_name", ".entry 1st", ""},
	{"for_bool", "", "for b0\n.end"},
	{"for_relative", "", "for i0[aL]\n.end"},
	{"fvec_full", ".fvec a[97]", ""},
	{"fvec_name", ".fvec 3d", ""},
	{"fvec_size", ".fvec a[0]", ""},
	{"fvec_twice", ".fvec a, a", ""},
	{"gsh_count", ".gsh variable c4 256", ""},
	{"gsh_late", ".fvec a\n.gsh point c0", ""},
	{"gsh_mode", ".gsh points c0", ""},
	{"gsh_output", ".gsh point c0\n.alias a o7", ""},
	{"gsh_overlap", ".gsh fixed c4 c4 3", ""},
	{"gsh_register", ".gsh point r0", ""},
	{"gsh_twice", ".gsh point c0\n.gsh point c0", ""},
	{"ifu_int", "", "ifu i0\n.end"},
	{"ifu_not", "", "ifu !b0\n.end"},
	{"in_register", ".in a r3", ""},
	{"in_twice", ".in a\n.in a", ""},
	{"instruction_outside", "nop", ""},
	{"ivec_full", ".ivec a[5]", ""},
	{"label_digit", "", "1st: nop"},
	{"label_space", "", "here : nop"},
	{"label_twice", "", "a: nop\na: nop"},
	{"mad_first_uniform", "", "mad r0, c1, r1, r2"},
	{"mad_inputs", "", "mad r0, v0, v1, r2"},
	{"mad_two_uniforms", "", "mad r0, r1, c1, c2"},
	{"minus_space", "", "mov r0, - r1"},
	{"missing", "", "add r0, r1"},
	{"mova_dest", "", "mova r0, r1"},
	{"mova_src", "", "mova a0.x, b0"},
	{"negative_offset", "", "mov r4, r4[-2]"},
	{"no_bracket", "", "mov r0, c1[2"},
	{"no_label", "", "jmpc cmp.x, nowhere"},
	{"no_proc", "", "call nowhere"},
	{"no_register", "", "mov r0, q1"},
	{"nodvle", ".nodvle", ""},
	{"out_dummy_only", ".out a color o7", ""},
	{"out_mask", ".out a color.xyq7", ""},
	{"out_mask_twice", ".out a texcoord0.xy o1", ""},
	{"out_register", ".out a color r1", ""},
	{"out_twice", ".out a position o0\n.out b color o0", ""},
	{"out_type", ".out a colour", ""},
	{"out_wraps", ".out a position o0\n.out b dummy o8", ""},
	{"proc_twice", ".proc main\n	nop\n.end", ""},
	{"relative_temporary", "", "mov r0, r1[a0.x]"},
	{"setb_register", ".setb c0 true", ""},
	{"setb_value", ".setb b0 maybe", ""},
	{"setemit_range", "", "setemit 3"},
	{"setf_register", ".setf i0(1,2,3,4)", ""},
	{"seti_register", ".seti i4(1,2,3,4)", ""},
	{"too_many", "", "mov r0, r1, r2"},
	{"twice", "", "ifc cmp.x && cmp.x\n.end"},
	{"two_elses", "", "ifu b0\n.else\n.else\n.end"},
	{"two_inputs", "", "add r0, v1, v2"},
	{"two_uniforms", "", "sge r0, c1, c2"},
	{"uniform_in_src2", "", "add r0, r1, c2"},
	{"unknown", "", "mvo r0, r1"},
	{"v15", "", "mov r0, v15"},
}

// builtSources are further sources of testdata, by name: those above, arithmetic in its forms, and sources at the limits of code memory,
// operand descriptors, registers and depth, and beyond them. The names of rejected ones begin with bad_.
func builtSources() map[string]string {
	main := func(lines ...string) string { return ".proc main\n" + strings.Join(lines, "") + "\tend\n.end\n" }
	numbered := func(n int, line string) (s string) {
		for i := range n {
			s += fmt.Sprintf(line, i)
		}
		return s
	}
	swizzles := func(n, first, step int, line string) string {
		var b strings.Builder
		for i := range n {
			v := first + i*step
			r := strings.NewReplacer("D", fmt.Sprint("r", i%16), "S", string([]byte{"xyzw"[v>>6&3], "xyzw"[v>>4&3], "xyzw"[v>>2&3], "xyzw"[v&3]}))
			b.WriteString("\t" + r.Replace(line) + "\n")
		}
		return b.String()
	}
	const dummy = "\tmov r0, v0\n"
	list := map[string]string{
		"code_full":            "; The longest code that is accepted: 513 words, one more than the hardware has.\n" + main(strings.Repeat("\tnop\n", 512)),
		"bad_code_full":        main(strings.Repeat("\tnop\n", 513)),
		"descriptor_full":      "; All 128 operand descriptors.\n" + main(swizzles(127, 1, 2, "mov D, r0.S"), "\tmov r0.x, -r0\n"),
		"bad_descriptors_full": main(swizzles(129, 1, 1, "mov D, r0.S")),
		"descriptor_mad_swap": "; mad reaches 32 descriptors only: others make room for it.\n" + main(swizzles(40, 0, 5, "mov D, r0.S"),
			swizzles(30, 3, 7, "mad D, r0.S, r1, r2"), "\tcmp r0.wzyx, eq, lt, r1.zzzz\n", swizzles(40, 0, 5, "mul D, r0.S, r1")),
		"bad_descriptors_mad":  main(swizzles(33, 1, 1, "mad r0, r0.S, r1, r2")),
		"bad_deep":             main(strings.Repeat("\tifu b0\n", 32), strings.Repeat("\t.end\n", 32)),
		"bad_too_many_inputs":  numbered(17, ".in i_%d\n") + main(dummy),
		"bad_too_many_outputs": numbered(17, ".out o_%d dummy\n") + main(dummy),
		"dir_out_dummy": "; Outputs for a geometry shader: dummies, up to o15.\n" + numbered(16, ".out d%d dummy\n") +
			main(numbered(16, "\tmov d%d, v0\n")),
		"bad_empty":   "; nothing\n",
		"bad_open":    ".proc main\n\tnop\n",
		"bad_open_if": ".proc main\n\tifu b0\n\tnop\n.end\n",
	}
	for _, s := range rejectedSources {
		before, lines := s.before, dummy
		if before != "" {
			before += "\n"
		}
		if s.main != "" {
			lines = "\t" + strings.ReplaceAll(s.main, "\n", "\n\t") + "\n"
		}
		list["bad_"+s.name] = before + main(lines)
	}
	const (
		one      = "\tOP r0, v0\n\tOP r1.x, c4.y\n\tOP r2.yz, -c5.wzyx\n\tOP r3.w, -r0.z\n\tOP o0, c6[a0.x]\n\tOP o1.xy, c7[aL+3].stpq\n"
		two      = "\tOP r0, v0, v0\n\tOP r1.x, c4, v0\n\tOP r2.yz, -c5.wzyx, r0.x\n\tOP r3.xw, r0, -r1.yyzz\n\tOP o0, c6[a0.x], r2\n\tOP o1.xyz, c7[aL+3].zzz, r3\n"
		inverted = two + "\n\tOP r4, v0, c8\n\tOPi r5.w, r4.xy, -c9.w\n\tOP r6, -r5, c10[a0.y+1].rgba\n"
	)
	for form, names := range map[string]string{one: "ex2 flr lg2 litp mov rcp rsq", two: "add dp3 dp4 max min mul", inverted: "dph dst sge slt"} {
		for name := range strings.FieldsSeq(names) {
			list["op_"+name] = strings.ReplaceAll("; OP in its forms.\n.out pos position\n.out clr color\n\n"+main(form), "OP", name)
		}
	}
	return list
}

// readCorpus returns the sources of a folder.
func readCorpus(t testing.TB, dir string) (list []corpusSource) {
	names := testkit.Must(filepath.Glob(filepath.Join(dir, "*.pica")))(t)
	own := map[string]string{}
	if dir == "testdata" {
		own = builtSources()
		for name := range own {
			names = append(names, filepath.Join(dir, name+".pica"))
		}
		slices.Sort(names)
	}
	rejected := map[string]bool{}
	for name := range own {
		rejected[name] = strings.HasPrefix(name, "bad_")
	}
	if f, err := os.Open(filepath.Join(dir, "rejected.txt")); err == nil {
		for s := bufio.NewScanner(f); s.Scan(); {
			if name := strings.TrimSpace(s.Text()); name != "" {
				rejected[strings.TrimSuffix(name, ".pica")] = true
			}
		}
		f.Close()
	}
	for _, path := range names {
		base := strings.TrimSuffix(filepath.Base(path), ".pica")
		text := []byte(own[base])
		if len(text) == 0 {
			text = testkit.Read(t, path)
		}
		c := corpusSource{name: filepath.Base(path), text: text, rejected: rejected[base], opt: asm.Options{Picasso: base == "code_full"}}
		if !c.rejected {
			for _, ref := range []string{strings.TrimSuffix(path, ".pica") + ".shbin", path + ".shbin"} {
				if want, err := os.ReadFile(ref); err == nil {
					c.want = want
					break
				}
			}
			if c.want == nil {
				t.Logf("%s: no reference output and not in rejected.txt, left out", c.name)
				continue
			}
		}
		list = append(list, c)
	}
	return list
}

// externalCorpus returns the corpus of the environment, or skips the test.
func externalCorpus(t testing.TB) []corpusSource {
	dir := os.Getenv(corpusEnv)
	if dir == "" {
		t.Skipf("%s is not set: it names a folder with NAME.pica, the reference assembler's NAME.shbin and rejected.txt", corpusEnv)
	}
	list := readCorpus(t, dir)
	require.NotEmpty(t, list, "no .pica file with a reference in %s", dir)
	return list
}

func testAgainstReference(t *testing.T, list []corpusSource) {
	same, refused := 0, 0
	for _, c := range list {
		prog, diags := asm.Assemble(c.opt, asm.Source{c.name, c.text})
		if c.rejected {
			if prog != nil {
				t.Errorf("%s: assembled, but the reference assembler rejects it", c.name)
				continue
			}
			refused++
			continue
		}
		if prog == nil {
			t.Errorf("%s: the reference assembler accepts it, but:\n%s", c.name, diags.Error())
			continue
		}
		out := testkit.Must(prog.Bytes())(t, c.name)
		if !bytes.Equal(c.want, out) {
			at := 0
			for at < len(out) && at < len(c.want) && out[at] == c.want[at] {
				at++
			}
			t.Errorf("%s: differs from the reference at byte 0x%X (%d bytes, expected %d)", c.name, at, len(out), len(c.want))
			continue
		}
		same++
	}
	t.Logf("%d sources equal to the reference, %d refused like it", same, refused)
}

func TestCorpus(t *testing.T) { testAgainstReference(t, externalCorpus(t)) }

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
