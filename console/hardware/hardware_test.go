package hardware

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
