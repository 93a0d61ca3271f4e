package hardware

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strconv"
	"strings"

	"pica200/internal/quote"
)

// A result file of the homebrew program: headerBytes of text, padded with
// zeros, then the colour buffer as in memory.
const (
	headerBytes = 64
	headerMagic = "PICA200 console 1"
)

// MaxDump is the size of the largest possible result.
var MaxDump = func() (n int) {
	for i := range Programs {
		n = max(n, headerBytes+Programs[i].ColorBytes())
	}
	return n
}()

// Header returns the text before a colour buffer.
func (p *Program) Header() []byte {
	h := make([]byte, headerBytes)
	copy(h, fmt.Sprintf("%s\n%s\n%08x\n", headerMagic, p.Name, p.hash()))
	return h
}

// ParseDump splits a result file.
func ParseDump(data []byte) (*Program, []byte, error) {
	if len(data) < headerBytes || !bytes.HasPrefix(data, []byte(headerMagic+"\n")) {
		return nil, nil, fmt.Errorf("no result of a console program, which begins with %q; %s", headerMagic, quote.Start(data))
	}
	lines := strings.Split(strings.TrimRight(string(data[:headerBytes]), "\x00"), "\n")
	if len(lines) != 4 || lines[3] != "" {
		return nil, nil, fmt.Errorf("offset 0x0: the header has %d lines: expected %q, a name and a hash", len(lines)-1, headerMagic)
	}
	p := Find(lines[1])
	if p == nil {
		return nil, nil, fmt.Errorf("line 2: there is no program %q", lines[1])
	}
	hash, err := strconv.ParseUint(lines[2], 16, 32)
	if err != nil {
		return nil, nil, fmt.Errorf("hash %q: expected eight hexadecimal digits", lines[2])
	}
	if uint32(hash) != p.hash() {
		return nil, nil, fmt.Errorf("%s: the console ran another version of the program (%08x, this one is %08x)", p.Name, hash, p.hash())
	}
	if buffer := data[headerBytes:]; len(buffer) == p.ColorBytes() {
		return p, buffer, nil
	}
	return nil, nil, fmt.Errorf("%s: %d bytes behind the header, expected %d", p.Name, len(data)-headerBytes, p.ColorBytes())
}

// Verdict is the result of comparing a picture with the answers to a question.
type Verdict struct {
	question *openQuestion
	pixels   int
	answers  []finding // one per answer of the question
	// Ours is the index of the answer that this implementation gives, -1 for none
	// of them.
	Ours int
}

// finding is the comparison of a picture with an answer.
type finding struct {
	different int         // number of different pixels
	at        image.Point // first different pixel, in window coordinates
	got, want [4]uint8    // its values
}

// Confirmed returns the index of the answer that the picture shows, or -1.
func (v *Verdict) Confirmed() int {
	for i := range v.answers {
		if v.answers[i].different == 0 {
			return i
		}
	}
	return -1
}

// closest returns the answer with the fewest different pixels.
func (v *Verdict) closest() int {
	best := 0
	for i := range v.answers {
		if v.answers[i].different < v.answers[best].different {
			best = i
		}
	}
	return best
}

// Compare compares a colour buffer with the answers of every question of the
// program.
func (p *Program) Compare(ctx context.Context, buffer []byte) ([]Verdict, error) {
	theirs, err := p.picture(buffer)
	if err != nil {
		return nil, err
	}
	own, err := p.Run(ctx)
	if err != nil {
		return nil, err
	}
	ours, err := p.picture(own)
	if err != nil {
		return nil, err
	}
	var all []Verdict
	for i := range p.questions {
		q := &p.questions[i]
		v := p.judge(q, theirs)
		w := p.judge(q, ours)
		v.Ours = w.Confirmed()
		all = append(all, v)
	}
	return all, nil
}

// judge compares a picture with all answers to a question.
func (p *Program) judge(q *openQuestion, img *image.NRGBA) Verdict {
	v := Verdict{question: q, pixels: q.area.Dx() * q.area.Dy(), Ours: -1}
	for i := range q.answers {
		var f finding
		for y := q.area.Min.Y; y < q.area.Max.Y; y++ {
			for x := q.area.Min.X; x < q.area.Max.X; x++ {
				at := img.PixOffset(x, p.height-1-y)
				got, want := [4]uint8(img.Pix[at:at+4]), q.answers[i].color(x, y)
				if equal(got, want, q.Tolerance) {
					continue
				}
				if f.different == 0 {
					f.at, f.got, f.want = image.Pt(x, y), got, want
				}
				f.different++
			}
		}
		v.answers = append(v.answers, f)
	}
	return v
}

func equal(a, b [4]uint8, tolerance uint8) bool {
	for i := range a {
		if max(a[i], b[i])-min(a[i], b[i]) > tolerance {
			return false
		}
	}
	return true
}

// Rule returns the feature of docs/accuracy that the answer decides.
func (v *Verdict) Rule() string { return v.question.rule }

// Text returns the verdict as text, one line per answer.
func (v *Verdict) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n  (docs/accuracy, %s)\n", v.question.ask, v.question.rule)
	confirmed := v.Confirmed()
	for i, a := range v.question.answers {
		mark := ""
		if i == v.Ours {
			mark = " [the rule here]"
		}
		f := &v.answers[i]
		if i == confirmed {
			fmt.Fprintf(&b, "    confirmed  %s%s\n", a.text, mark)
			continue
		}
		fmt.Fprintf(&b, "    refuted    %s%s: %d of %d pixels differ\n", a.text, mark, f.different, v.pixels)
	}
	if confirmed < 0 {
		i := v.closest()
		f := &v.answers[i]
		fmt.Fprintf(&b, "    None of the known answers. The closest is %q; the first pixel that differs is %d,%d from the lower left: %v, expected %v\n",
			v.question.answers[i].text, f.at.X, f.at.Y, f.got, f.want)
	}
	return b.String()
}
