package hardware

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/raster"
	"pica200/tests/testkit"
)

// The answers of each question differ, and exactly one is that of this GPU: a changed rule shows as another answer.
func TestOneAnswerEqualsOurs(t *testing.T) {
	seen := map[string]bool{}
	for i := range Programs {
		p := &Programs[i]
		t.Run(p.Name, func(t *testing.T) {
			require.Regexp(t, regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), p.Name)
			require.False(t, seen[p.Name], "program names are unique")
			seen[p.Name] = true
			require.Zero(t, p.width%8+p.height%8)
			require.NotEmpty(t, p.questions)
			buffer := testkit.Must(p.Run(t.Context()))(t)
			verdicts := testkit.Must(p.Compare(t.Context(), buffer))(t)
			for k := range verdicts {
				v := &verdicts[k]
				q := v.question
				require.GreaterOrEqual(t, len(q.answers), 2, q.ask)
				require.True(t, q.area.Min.X >= 0 && q.area.Min.Y >= 0 && q.area.Max.X <= p.width && q.area.Max.Y <= p.height && !q.area.Empty(), q.ask)
				matching := 0
				for _, f := range v.answers {
					if f.different == 0 {
						matching++
					}
				}
				require.Equal(t, 1, matching, "answers that are ours:\n%s", v.Text())
				require.Equal(t, v.Confirmed(), v.Ours)
			}
		})
	}
}

// painted is a colour buffer with an answer painted over the drawing.
func painted(p *Program, own []byte, q *openQuestion, a *outcome) []byte {
	buffer := slices.Clone(own)
	target := &raster.Target{Width: int32(p.width), Height: int32(p.height), ColorFormat: p.format, Color: buffer}
	for y := q.area.Min.Y; y < q.area.Max.Y; y++ {
		for x := q.area.Min.X; x < q.area.Max.X; x++ {
			row := int32(p.height - 1 - y)
			i, j := target.PixelIndex(int32(x)&^3, row&^3), target.PixelIndex(int32(x), row)&15
			var c [4]raster.Channel
			target.LoadColor(i, &c[0], &c[1], &c[2], &c[3])
			for ch, v := range a.color(x, y) {
				c[ch][j] = v
			}
			target.StoreColor(i, 1<<j, &c[0], &c[1], &c[2], &c[3])
		}
	}
	return buffer
}

// Every answer that a console can give is recognised, and the others are refuted.
func TestEveryAnswerIsRecognised(t *testing.T) {
	for i := range Programs {
		p := &Programs[i]
		own := testkit.Must(p.Run(t.Context()))(t)
		for k := range p.questions {
			q := &p.questions[k]
			for n := range q.answers {
				p, buffer, err := ParseDump(append(p.Header(), painted(p, own, q, &q.answers[n])...))
				require.NoError(t, err)
				img := testkit.Must(p.picture(buffer))(t)
				v := p.judge(q, img)
				require.Equal(t, n, v.Confirmed(), "%s: %q\n%s", p.Name, q.answers[n].text, v.Text())
				for m := range v.answers {
					if m != n {
						require.NotZero(t, v.answers[m].different, "%s: %q and %q are the same picture", p.Name, q.answers[n].text, q.answers[m].text)
					}
				}
				require.Contains(t, v.Text(), "confirmed  "+q.answers[n].text)
			}
		}
	}
}

// A picture that matches no answer is reported with its difference from the closest one.
func TestUnknownAnswer(t *testing.T) {
	p := Find("modulate")
	buffer := testkit.Must(p.Run(t.Context()))(t)
	buffer[1]++ // blue of the first pixel in memory, which is at the top left
	verdicts := testkit.Must(p.Compare(t.Context(), buffer))(t)
	v := &verdicts[0]
	require.Equal(t, -1, v.Confirmed())
	require.Equal(t, v.Ours, v.closest())
	require.Equal(t, 1, v.answers[v.closest()].different)
	require.Contains(t, v.Text(), "None of the known answers")
	require.Contains(t, v.Text(), "0,255 from the lower left: [0 0 1 255], expected [0 0 0 255]")
}

func TestDamagedResults(t *testing.T) {
	p := Find("modulate")
	good := append(p.Header(), make([]byte, p.ColorBytes())...)
	_, _, err := ParseDump(good)
	require.NoError(t, err)
	change := func(at int, text string) []byte {
		return append(append(slices.Clone(good[:at]), text...), good[at+len(text):]...)
	}
	for want, data := range map[string][]byte{
		"no result of a console program":        nil,
		"it begins with":                        change(0, "X"),
		`there is no program "nodulate"`:        change(18, "n"),
		"another version of the program":        change(27, "00000000"),
		"expected eight hexadecimal":            change(27, "zzzzzzzz"),
		"lines: expected":                       change(35, " "),
		"262143 bytes behind the header":        good[:len(good)-1],
		"262145 bytes behind the header":        append(slices.Clone(good), 0),
		"0 bytes behind the header":             good[:headerBytes],
		"no result of a console program, which": good[:headerBytes-1],
	} {
		_, _, err := ParseDump(data)
		require.ErrorContains(t, err, want)
	}
	_, err = p.Compare(t.Context(), good)
	require.ErrorContains(t, err, "bytes instead of")
}

// The trace of a program draws the same as the program.
func TestTracesDrawTheSame(t *testing.T) {
	for i := range Programs {
		p := &Programs[i]
		want := testkit.Must(p.Run(t.Context()))(t)
		data := testkit.Must(p.trace())(t)
		trace := testkit.Must(picatrace.Parse(data))(t)
		require.Zero(t, trace.Findings.Problems(), p.Name)
		g := testkit.Must(pipeline.Replay(t.Context(), trace, pipeline.Options{Workers: 2}, nil))(t)
		got := testkit.Must(g.Read(colorAddr, uint32(p.ColorBytes())))(t)
		require.True(t, bytes.Equal(want, got), p.Name)
		g.Close()
		require.Equal(t, p.hash(), p.hash())
	}
}

// testdata/console has exactly the pictures and traces of the programs; TestHomebrewDrawsTheSame compiles their source.
func TestConsoleFiles(t *testing.T) {
	const folder = "../../testdata/console"
	want := testkit.Must(Files(t.Context()))(t)
	if testkit.Updating() {
		require.NoError(t, os.RemoveAll(folder))
	}
	for _, name := range []string{"Makefile", "source/main.c", "source/programs.c", "source/programs.h"} {
		require.Contains(t, want, name)
		delete(want, name)
	}
	for name, data := range want {
		testkit.Golden(t, filepath.Join(folder, name), data)
	}
	var have []string
	require.NoError(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(folder, path)
			have = append(have, filepath.ToSlash(name))
		}
		return err
	}))
	require.ElementsMatch(t, slices.Collect(maps.Keys(want)), have, "the folder is out of date; -update writes it")
}

// docs/CONSOLE.md lists all programs with their questions, each rule behind the last question that it belongs to.
func TestConsolePage(t *testing.T) {
	var b bytes.Buffer
	for i := range Programs {
		p := &Programs[i]
		fmt.Fprintf(&b, "### %s\n\n%s\n\n![](../testdata/console/expected/%s.png)\n\n", p.Name, p.About, p.Name)
		for i, q := range p.questions {
			fmt.Fprintf(&b, "- %s", q.ask)
			if i+1 == len(p.questions) || p.questions[i+1].rule != q.rule {
				fmt.Fprintf(&b, " (%s)", q.rule)
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	testkit.GoldenPart(t, "../../docs/CONSOLE.md", "programs", b.String())
}

// TestHomebrewDrawsTheSame compiles the homebrew program for this computer with the libctru stub in testdata and runs it: its GPU
// commands, at other addresses, draw the same pictures, and its dump is read back.
func TestHomebrewDrawsTheSame(t *testing.T) {
	testkit.Slow(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no C compiler (gcc)")
	}
	stub := testkit.Must(filepath.Abs("testdata/stub"))(t)
	dir := t.TempDir()
	for name, data := range sources() {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	bin := filepath.Join(dir, "console")
	cmd := exec.Command(gcc, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-I", stub, "-DFOLDER=\".\"", "-o", bin,
		"source/main.c", "source/programs.c", filepath.Join(stub, "stub.c"))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd = exec.Command(bin)
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), fmt.Sprintf("%d of %d pictures", len(Programs), len(Programs)))

	calls := testkit.Read(t, filepath.Join(dir, "calls.txt"))
	lines := bufio.NewScanner(bytes.NewReader(calls))
	scan := func(format string, args ...any) {
		t.Helper()
		require.True(t, lines.Scan())
		testkit.Must(fmt.Sscanf(lines.Text(), format, args...))(t, lines.Text())
	}
	const linearBase = 0x23400000
	for i := range Programs {
		p := &Programs[i]
		g := pipeline.New(pipeline.Options{Workers: 1})
		var color uint32
		for k := range 2 {
			var start, end, value, control uint32
			scan("fill %x %x %x %x", &start, &end, &value, &control)
			if k == 0 {
				color = start
			}
			require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: start, End: end, Value: value, Bits: uint8(16 + 8*(control>>8))}))
			require.EqualValues(t, 1, control&0xFF)
		}
		memory := testkit.Read(t, filepath.Join(dir, fmt.Sprintf("linear%d.bin", i)))
		require.NoError(t, g.Load(t.Context(), linearBase, memory))
		var list, size, flags uint32
		scan("list %x %x %x", &list, &size, &flags)
		require.Zero(t, list%16+size%16)
		require.NoError(t, g.RunList(t.Context(), list, size))
		var from, n, gaps, to uint32
		scan("copy %x 0 %x 0 %x %x", &from, &to, &n, &gaps)
		require.Equal(t, []uint32{color, uint32(p.ColorBytes()), 8}, []uint32{from, n, gaps})
		got := testkit.Must(g.Read(color, n))(t)
		want := testkit.Must(p.Run(t.Context()))(t)
		require.True(t, bytes.Equal(want, got), "%s draws another picture", p.Name)

		saved := testkit.Read(t, filepath.Join(dir, p.Name+".bin"))
		q, buffer, err := ParseDump(saved)
		require.NoError(t, err)
		require.Equal(t, p, q)
		require.Equal(t, bytes.Repeat([]byte{0x5A}, p.ColorBytes()), buffer)
		g.Close()
	}
	require.False(t, lines.Scan())
}

// accuracyRow is a rule of docs/accuracy.
type accuracyRow struct {
	feature, source, confidence, evidence string
	tests                                 []string
}

// evidence says with which grades of confidence a verdict does not go.
var evidence = map[string]string{
	"confirmed": "guess choice", "changed": "guess choice", "part": "choice", "open": "choice",
	"none": "hardware-tested seen documentation file choice", "own": "hardware-tested seen documentation file",
}

// readAccuracy reads a page of docs/accuracy. A row without a verdict about the evidence is refused, and one whose verdict its source or
// confidence contradicts.
func readAccuracy(page string, data []byte) (rows []accuracyRow, err error) {
	for i, line := range strings.Split(string(data), "\n") {
		c := strings.Split(line, " | ")
		if len(c) < 3 || c[0] == "feature" {
			continue
		}
		bad := func(format string, args ...any) ([]accuracyRow, error) {
			return nil, fmt.Errorf("%s.md:%d: %s: "+format, append([]any{page, i + 1, c[0]}, args...)...)
		}
		if len(c) != 6 {
			return bad("%d cells, not feature, rule, source, confidence, evidence, test", len(c))
		}
		r := accuracyRow{page + ": " + c[0], c[2], c[3], c[4], testName.FindAllString(c[5], -1)}
		grade := strings.FieldsFunc(r.confidence, func(r rune) bool { return strings.ContainsRune(" ,;", r) })[0]
		switch without, ok := evidence[r.evidence]; {
		case !ok:
			return bad("the evidence is %q, not one of confirmed, changed, part, open, none, own", r.evidence)
		case slices.Contains(strings.Fields(without), grade):
			return bad("evidence %q, but the confidence is %q", r.evidence, r.confidence)
		case r.source == "-" && r.evidence != "none" && r.evidence != "own":
			return bad("evidence %q without a source", r.evidence)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

var testName = regexp.MustCompile(`\bTest\w+`)

// Each rule of docs/accuracy has a verdict and names tests that exist, and each question to a console belongs to a rule.
func TestAccuracyRows(t *testing.T) {
	var all []accuracyRow
	for _, path := range testkit.Must(filepath.Glob("../../docs/accuracy/*.md"))(t) {
		page := strings.TrimSuffix(filepath.Base(path), ".md")
		if page != "scene-export" { // has no rules
			all = append(all, testkit.Must(readAccuracy(page, testkit.Read(t, path)))(t)...)
		}
	}
	count, features := map[string]int{}, map[string]bool{}
	for _, r := range all {
		count[r.confidence]++
		count["evidence "+r.evidence]++
		features[r.feature] = true
	}
	t.Logf("%d rules: %v", len(all), count)
	for _, p := range Programs {
		for _, q := range p.questions {
			require.True(t, features[q.rule], "%s asks about %q, which is no rule", p.Name, q.rule)
		}
	}
	var code bytes.Buffer
	for _, pattern := range []string{"../../*/*_test.go", "../../*/*/*_test.go", "../../*/*/*/*_test.go"} {
		for _, path := range testkit.Must(filepath.Glob(pattern))(t) {
			code.Write(testkit.Read(t, path))
		}
	}
	have := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(code.Bytes(), -1) {
		have[string(m[1])] = true
	}
	for _, r := range all {
		for _, name := range r.tests {
			require.True(t, have[name], "%s names %s, which does not exist", r.feature, name)
		}
	}
	const head = "feature | rule | source | confidence | evidence | test\n"
	for row, want := range map[string]string{
		"a | b | c | guess | none | -": "", "a | b | - | guess | none | -": "",
		"a | b | c | guess | -":                   "p.md:2: a: 5 cells",
		"a | b | c | guess |  | -":                "not one of",
		"a | b | c | guess for d | confirmed | -": "confidence is",
		"a | b | c | hardware-tested | none | -":  "confidence is",
		"a | b | - | guess | open | -":            "without a source",
	} {
		if _, err := readAccuracy("p", []byte(head+row)); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}
