package hardware

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strconv"
	"strings"
)

// A result as the homebrew program saves it: HeaderBytes of text, padded with
// zeros, then the colour buffer as it lies in memory.
const (
	HeaderBytes = 64
	headerMagic = "PICA200 console 1"
)

// MaxDump is the size of the greatest result that a program can have.
var MaxDump = func() (n int) {
	for i := range Programs {
		n = max(n, HeaderBytes+Programs[i].ColorBytes())
	}
	return n
}()

// Header is the text before a colour buffer.
func (p *Program) Header() []byte {
	h := make([]byte, HeaderBytes)
	copy(h, fmt.Sprintf("%s\n%s\n%08x\n", headerMagic, p.Name, p.Hash()))
	return h
}

// ParseDump takes a saved result apart.
func ParseDump(data []byte) (*Program, []byte, error) {
	if len(data) < HeaderBytes || !bytes.HasPrefix(data, []byte(headerMagic+"\n")) {
		return nil, nil, fmt.Errorf("no result of a console program: it begins with %q", headerMagic)
	}
	lines := strings.Split(strings.TrimRight(string(data[:HeaderBytes]), "\x00"), "\n")
	if len(lines) != 4 || lines[3] != "" {
		return nil, nil, fmt.Errorf("the header has %d lines: expected %q, a name and a hash", len(lines)-1, headerMagic)
	}
	p := Find(lines[1])
	if p == nil {
		return nil, nil, fmt.Errorf("there is no program %q", lines[1])
	}
	hash, err := strconv.ParseUint(lines[2], 16, 32)
	if err != nil {
		return nil, nil, fmt.Errorf("hash %q: expected eight hexadecimal digits", lines[2])
	}
	if uint32(hash) != p.Hash() {
		return nil, nil, fmt.Errorf("%s: the console ran another version of the program (%08x, this one is %08x)", p.Name, hash, p.Hash())
	}
	if buffer := data[HeaderBytes:]; len(buffer) == p.ColorBytes() {
		return p, buffer, nil
	}
	return nil, nil, fmt.Errorf("%s: %d bytes behind the header, expected %d", p.Name, len(data)-HeaderBytes, p.ColorBytes())
}

// Verdict is what a picture says to a question.
type Verdict struct {
	Question *Question
	Pixels   int
	Answers  []Finding // one for each answer of the question
	// Ours is the answer that this implementation gives, -1 for none of them.
	Ours int
}

// Finding is how a picture compares with an answer.
type Finding struct {
	Different int         // pixels
	At        image.Point // first different pixel, window coordinates
	Got, Want [4]uint8    // there
}

// Confirmed is the answer that the picture gives, or -1.
func (v *Verdict) Confirmed() int {
	for i := range v.Answers {
		if v.Answers[i].Different == 0 {
			return i
		}
	}
	return -1
}

// Closest is the answer from which the fewest pixels differ.
func (v *Verdict) Closest() int {
	best := 0
	for i := range v.Answers {
		if v.Answers[i].Different < v.Answers[best].Different {
			best = i
		}
	}
	return best
}

// Compare says which answers a colour buffer confirms, beside those that are
// given here.
func (p *Program) Compare(ctx context.Context, buffer []byte) ([]Verdict, error) {
	theirs, err := p.Picture(buffer)
	if err != nil {
		return nil, err
	}
	own, err := p.Run(ctx)
	if err != nil {
		return nil, err
	}
	ours, err := p.Picture(own)
	if err != nil {
		return nil, err
	}
	var all []Verdict
	for i := range p.Questions {
		q := &p.Questions[i]
		v := p.judge(q, theirs)
		w := p.judge(q, ours)
		v.Ours = w.Confirmed()
		all = append(all, v)
	}
	return all, nil
}

// judge compares a picture with all answers to a question.
func (p *Program) judge(q *Question, img *image.NRGBA) Verdict {
	v := Verdict{Question: q, Pixels: q.Area.Dx() * q.Area.Dy(), Ours: -1}
	for i := range q.Answers {
		var f Finding
		for y := q.Area.Min.Y; y < q.Area.Max.Y; y++ {
			for x := q.Area.Min.X; x < q.Area.Max.X; x++ {
				at := img.PixOffset(x, p.Height-1-y)
				got, want := [4]uint8(img.Pix[at:at+4]), q.Answers[i].Color(x, y)
				if equal(got, want, q.Tolerance) {
					continue
				}
				if f.Different == 0 {
					f.At, f.Got, f.Want = image.Pt(x, y), got, want
				}
				f.Different++
			}
		}
		v.Answers = append(v.Answers, f)
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

// Text writes a verdict for people, a line an answer.
func (v *Verdict) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n  (docs/accuracy, %s)\n", v.Question.Ask, v.Question.Rule)
	confirmed := v.Confirmed()
	for i, a := range v.Question.Answers {
		mark := ""
		if i == v.Ours {
			mark = " [the rule here]"
		}
		f := &v.Answers[i]
		if i == confirmed {
			fmt.Fprintf(&b, "    confirmed  %s%s\n", a.Text, mark)
			continue
		}
		fmt.Fprintf(&b, "    refuted    %s%s: %d of %d pixels differ\n", a.Text, mark, f.Different, v.Pixels)
	}
	if confirmed < 0 {
		i := v.Closest()
		f := &v.Answers[i]
		fmt.Fprintf(&b, "    None of the known answers. The closest is %q; the first pixel that differs is %d,%d from the lower left: %v, expected %v\n",
			v.Question.Answers[i].Text, f.At.X, f.At.Y, f.Got, f.Want)
	}
	return b.String()
}
