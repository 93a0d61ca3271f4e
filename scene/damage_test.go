package scene

import (
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"
	"testing"

	"pica200/tests/testkit"
)

// Messages for the whole scene with one value or key replaced: the first of each kind in full, its count, and a checksum of all
// messages and read values.
func TestOddValueErrors(t *testing.T) {
	token := regexp.MustCompile(`[\w.\-"/~]+`)
	kind := regexp.MustCompile(`-?[0-9][0-9.e+]*|"[^"]*"|a key of .*`)
	odd := []string{"-1", "1e9", "what", "true", "[]", "{}", "0.5", "~", "[1, 2, 3]", "3", "none", "main", "smoke"}
	var order []string
	first, times := map[string]string{}, map[string]int{}
	sum := crc32.NewIEEE()
	for i, at := range token.FindAllStringIndex(wholeScene, -1) {
		if i%5 != 0 { // reading the whole scene takes milliseconds
			continue
		}
		v := odd[i/5%len(odd)]
		s, err := Parse("x/s.yaml", []byte(wholeScene[:at[0]]+v+wholeScene[at[1]:]))
		if err == nil {
			fmt.Fprintln(sum, crc32.ChecksumIEEE(s.Write("")))
			continue
		}
		fmt.Fprintln(sum, err)
		for line := range strings.Lines(err.Error()) {
			_, said, ok := strings.Cut(line, "s.yaml:")
			if !ok {
				continue
			}
			said = strings.TrimSpace(said)
			key := kind.ReplaceAllString(said, "#")
			if times[key]++; times[key] == 1 {
				order = append(order, key)
				first[key] = fmt.Sprintf("%s in place of %s: %.220s", v, wholeScene[at[0]:at[1]], said)
			}
		}
	}
	var b strings.Builder
	for _, key := range order {
		fmt.Fprintf(&b, "%3d  %s\n", times[key], first[key])
	}
	fmt.Fprintf(&b, "all: CRC-32 %08x\n", sum.Sum32())
	testkit.Golden(t, "testdata/damage.txt", []byte(b.String()))
}

// Targets, passes and draws that refer to each other wrongly give errors with positions.
func TestCrossReferenceErrors(t *testing.T) {
	const base = "models: {q: {shape: quad}}\ntextures: {t: {pattern: disc}}\n"
	var b strings.Builder
	for _, text := range []string{
		"passes: [{name: a, target: {share_color: b}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {share_color: main}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, draws: [{model: q}]}, {name: b, target: {share_color: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, draws: [{model: q}]}, {name: b, target: {share_depth: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {share_depth: b}, draws: [{model: q}]}, {name: b, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {share_color: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, draws: [{model: q}]}, {name: a, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {color: none}, draws: [{model: q}]}, {name: b, target: {share_color: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {color: rgb565, share_color: b}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"target: {share_color: a}\npasses: [{name: a, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"target: {share_color: a, share_depth: a}\npasses: [{name: a, target: {name: a2}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"target: {screen: top}\npasses: [{name: a, target: {screen: top}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"textures: {u: {from: a}}\npasses: [{name: a, draws: [{model: q}]}]\ndraws: [{model: q, textures: [u]}]",
		"textures: {u: {from: main}}\ndraws: [{model: q, textures: [u]}]",
		"draws: [{model: gone}]", "draws: [{model: q, textures: [gone]}]", "draws: [{model: q, textures: [t, t, t, t]}]", "draws: [{model: q, program: gone}]", "draws: []", "passes: []", "{}",
		"draws: [{model: q, procedural_colors: gone}]", "draws: [{model: q, gas_colors: gone}]", "gas_colors: gone\ndraws: [{model: q}]", "textures: {t: {pattern: checker, gradient: gone}}\ndraws: [{model: q}]",
		"target: {viewport: [0, 0, 0, 0]}\ndraws: [{model: q}]", "target: {viewport: [0, 0, 500, 10]}\ndraws: [{model: q}]", "target: {width: 12}\ndraws: [{model: q}]", "target: {width: 2048}\ndraws: [{model: q}]", "target: {width: 8, height: 1024}\ndraws: [{model: q}]",
		"camera: {near: 0}\ndraws: [{model: q}]", "camera: {near: 5, far: 2}\ndraws: [{model: q}]", "camera: {fovy: 180}\ndraws: [{model: q}]", "camera: {height: 2, fovy: 3}\ndraws: [{model: q}]",
		"textures: {t: {faces: [{pattern: disc}]}}\ndraws: [{model: q}]", "textures: {t: {pattern: disc, file: a.png}}\ndraws: [{model: q}]", "textures: {t: {}}\ndraws: [{model: q}]", "textures: {t: {pattern: disc, levels: [a.png]}}\ndraws: [{model: q}]",
		"models: {q: {}}\ndraws: [{model: q}]", "models: {q: {shape: quad, file: a}}\ndraws: [{model: q}]", "models: {q: {shape: box, count: 3}}\ndraws: [{model: q}]", "models: {q: {shape: points, count: 0}}\ndraws: [{model: q}]",
		"draws: [{model: q, transform: [{}]}]", "draws: [{model: q, transform: [{at: [0, 0, 0], scale: 2}]}]", "draws: [{model: q, transform: [{scale: 2}], at: [1, 2, 3]}]", "draws: [{model: q, refine: 9, patches: loop}]", "draws: [{model: q, refine: 1}]",
	} {
		whole := base
		for line := range strings.Lines(text) {
			if key, _, _ := strings.Cut(line, ":"); strings.Contains(base, key+":") && key != "draws" {
				kept := ""
				for l := range strings.Lines(whole) {
					if !strings.HasPrefix(l, key+":") {
						kept += l
					}
				}
				whole = kept
			}
		}
		_, err := Parse("s.yaml", []byte(whole+text+"\n"))
		said, _, _ := strings.Cut(fmt.Sprint(err), "\n")
		fmt.Fprintf(&b, "%s\n  %s\n", strings.ReplaceAll(text, "\n", "; "), said)
	}
	testkit.Golden(t, "testdata/mistakes.txt", []byte(b.String()))
}
