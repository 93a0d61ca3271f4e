package asm_test

import (
	"os"
	"testing"

	"pica200/shaderunit/asm"
)

// BenchmarkThousandSources assembles a thousand sources, from the corpus if present, else our own. The goal is two seconds on one
// core.
func BenchmarkThousandSources(b *testing.B) {
	var pool []asm.Source
	for _, dir := range []string{os.Getenv(corpusEnv), "testdata"} {
		if dir == "" {
			continue
		}
		for _, c := range readCorpus(b, dir) {
			if !c.rejected {
				if !c.opt.Picasso {
					pool = append(pool, asm.Source{c.name, c.text})
				}
			}
		}
		break
	}
	bytes := 0
	for i := range 1000 {
		bytes += len(pool[i%len(pool)].Text)
	}
	b.SetBytes(int64(bytes))
	for b.Loop() {
		for i := range 1000 {
			prog, diags := asm.Assemble(asm.Options{}, pool[i%len(pool)])
			if prog == nil {
				b.Fatal(diags.Error())
			}
			if _, err := prog.Bytes(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
