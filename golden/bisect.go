package golden

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// DrawHash is a render target's state after one draw.
type DrawHash struct {
	Frame int    `json:"frame"`
	Draw  int    `json:"draw"`  // in the frame, from 0
	What  string `json:"what"`  // description of the draw: its name in the scene, or primitive and vertex count
	Color string `json:"color"` // hash of the colour buffer, "" without one
	Depth string `json:"depth"` // hash of the depth and stencil buffer
}

// Variant is another way to render the same source.
type Variant struct {
	Workers int    // 0 as in the case
	Kernels string // "" for the best kernels of this CPU; "go" for plain Go
}

// DrawHasher renders a source draw by draw. Bisection needs a Renderer that
// implements it.
type DrawHasher interface {
	DrawHashes(ctx context.Context, job Job, v Variant) ([]DrawHash, error)
}

// Bisect says with what a differing case is compared to find the first draw
// whose target differs: with another number of workers, other kernels, or
// another build of the program.
type Bisect struct {
	Variant
	Binary string // path of another pica200; empty for this one
}

// ParseBisect parses "workers=N", "kernels=go" or "binary=PATH".
func ParseBisect(s string) (*Bisect, error) {
	b := &Bisect{}
	for key, rest := range map[string]*string{"kernels=": &b.Kernels, "binary=": &b.Binary} {
		if len(s) > len(key) && s[:len(key)] == key {
			*rest = s[len(key):]
			if b.Kernels != "" && b.Kernels != "go" {
				return nil, fmt.Errorf("bisect %q: the other kernels are \"go\"", s)
			}
			return b, nil
		}
	}
	if len(s) > 8 && s[:8] == "workers=" {
		n, err := strconv.Atoi(s[8:])
		if err == nil && n >= 1 && n <= 1024 {
			b.Workers = n
			return b, nil
		}
	}
	return nil, fmt.Errorf("bisect %q: expected workers=N, kernels=go or binary=PATH", s)
}

func (b *Bisect) String() string {
	switch {
	case b.Binary != "":
		return "binary " + b.Binary
	case b.Kernels != "":
		return "plain Go kernels"
	}
	return fmt.Sprintf("%d workers", b.Workers)
}

// describe describes the result of the bisection in a sentence.
func (b *Bisect) describe(ctx context.Context, c *Case, opt Options) string {
	renderer := opt.Renderer
	if renderer == nil {
		renderer = DefaultRenderer
	}
	job, err := c.job(ctx, opt)
	var s string
	if err == nil {
		s, err = b.first(ctx, renderer, job)
	}
	if err != nil {
		return "bisect against " + b.String() + ": " + err.Error()
	}
	return s
}

// first renders job both ways and names the first draw after which the targets
// differ, or says that none does.
func (b *Bisect) first(ctx context.Context, r Renderer, job Job) (string, error) {
	h, ok := r.(DrawHasher)
	if !ok {
		return "", errors.New("this renderer cannot render draw by draw")
	}
	here, err := h.DrawHashes(ctx, job, Variant{Workers: job.Workers})
	if err != nil {
		return "", err
	}
	var there []DrawHash
	switch {
	case b.Binary != "" && job.Data != nil:
		return "", errors.New("a case that runs a program cannot be bisected with another binary")
	case b.Binary != "":
		there, err = binaryHashes(ctx, b.Binary, job)
	default:
		there, err = h.DrawHashes(ctx, job, b.Variant)
	}
	if err != nil {
		return "", err
	}
	switch {
	case len(here) == 0:
		return "", fmt.Errorf("%s draws nothing to compare", job.Source)
	case len(there) == 0:
		return "", fmt.Errorf("%s drew nothing, where there are %d draws here: a program is expected that answers \"golden draws\" (docs/GOLDEN.md)", b, len(here))
	}
	for i := range min(len(here), len(there)) {
		p, q := here[i], there[i]
		if p.Frame != q.Frame || p.Draw != q.Draw {
			return fmt.Sprintf("bisect against %s: the order of draws differs from draw %d of frame %d on", b, p.Draw, p.Frame), nil
		}
		what := ""
		switch {
		case p.Color != q.Color && p.Depth != q.Depth:
			what = "colour and depth"
		case p.Color != q.Color:
			what = "colour"
		case p.Depth != q.Depth:
			what = "depth"
		default:
			continue
		}
		return fmt.Sprintf("bisect against %s: the first draw whose target differs (%s) is draw %d of frame %d (%s)", b, what, p.Draw, p.Frame, p.What), nil
	}
	if len(here) != len(there) {
		return fmt.Sprintf("bisect against %s: %d draws here, %d there, equal as far as both go", b, len(here), len(there)), nil
	}
	return fmt.Sprintf("bisect against %s: the targets are equal after each of the %d draws; the approved image was made by something else", b, len(here)), nil
}

// binaryTimeout ends a second binary that hangs.
const binaryTimeout = 10 * time.Minute

// binaryHashes runs another build of the program to get its hashes, as lines of
// JSON.
func binaryHashes(ctx context.Context, bin string, job Job) ([]DrawHash, error) {
	ctx, cancel := context.WithTimeout(ctx, binaryTimeout)
	defer cancel()
	args := []string{"golden", "draws",
		"--frame=" + strconv.Itoa(job.Frame), "--time=" + strconv.FormatFloat(job.T, 'g', -1, 64), "--workers=" + strconv.Itoa(max(1, job.Workers))}
	for _, root := range job.Roots { // older builds do not have this flag
		args = append(args, "--root="+root)
	}
	cmd := exec.CommandContext(ctx, bin, append(args, "--", job.Source)...)
	var errText bytes.Buffer
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", bin, err, firstLine(errText.String()))
	}
	return parseHashes(out)
}

func parseHashes(out []byte) ([]DrawHash, error) {
	var hashes []DrawHash
	s := bufio.NewScanner(bytes.NewReader(out))
	for s.Scan() {
		var h DrawHash
		if err := json.Unmarshal(s.Bytes(), &h); err != nil {
			return nil, fmt.Errorf("not a line of draw hashes: %w", err)
		}
		hashes = append(hashes, h)
	}
	return hashes, s.Err()
}
