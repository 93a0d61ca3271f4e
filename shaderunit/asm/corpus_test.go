package asm_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// readCorpus returns the sources of a folder.
func readCorpus(t testing.TB, dir string) (list []corpusSource) {
	names := testkit.Must(filepath.Glob(filepath.Join(dir, "*.pica")))(t)
	rejected := map[string]bool{}
	if f, err := os.Open(filepath.Join(dir, "rejected.txt")); err == nil {
		for s := bufio.NewScanner(f); s.Scan(); {
			if name := strings.TrimSpace(s.Text()); name != "" {
				rejected[strings.TrimSuffix(name, ".pica")] = true
			}
		}
		f.Close()
	}
	for _, path := range names {
		text := testkit.Read(t, path)
		base := strings.TrimSuffix(filepath.Base(path), ".pica")
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
