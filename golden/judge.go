package golden

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"

	"pica200/internal/files"
	"pica200/internal/lazy"
	"pica200/internal/quote"
)

// judgement is the comparison of a picture with the approved ones.
type judgement struct {
	c       *Case
	want    Image
	got     image.Image
	r       ImageResult
	nearest image.Image // the approved picture that differs least
	hash    string      // of an approved picture that differs
	missing []string
}

// judge compares an image with the approved ones and writes the differences.
func judge(c *Case, want Image, got image.Image, opt Options) ImageResult {
	j := &judgement{c: c, want: want, got: got,
		r: ImageResult{Target: want.Target, Tolerance: want.Tolerance, Status: Differs, Against: want.Approved[0], SHA256: pictureHash(got)}}
	for _, a := range want.Approved {
		if err := j.compare(a); err != nil {
			return j.failed(err)
		}
		if j.r.Status == Match {
			return j.r
		}
	}
	j.explain()
	if opt.Update && !opt.Blank && opt.Renderer == nil && Blank(want.Target, got) {
		j.r.Message = blankMessage
		return j.r
	}
	if opt.Update {
		return approve(c, want, got, j.r, "pica200 "+version(), opt.DryRun)
	}
	if opt.Out != "" {
		if err := writeImages(c, want, j.nearest, got, &j.r, opt.Out); err != nil {
			return j.failed(err)
		}
	}
	return j.r
}

func (j *judgement) failed(err error) ImageResult {
	j.r.Status, j.r.Message = Failed, err.Error()
	return j.r
}

// compare compares with one approved picture.
func (j *judgement) compare(a Approved) error {
	if a.SHA256 != "" {
		j.compareHash(a)
		return nil
	}
	m, err := j.c.Picture(a)
	if errors.Is(err, os.ErrNotExist) {
		j.missing = append(j.missing, a.File)
		return nil
	}
	if err != nil {
		return err
	}
	if a.From == Self && j.r.Replaces == "" {
		j.r.Replaces = pictureHash(m)
	}
	cmp := Compare(m, j.got, j.want.Tolerance)
	if j.nearest == nil || cmp.severity() < j.r.Comparison.severity() {
		j.nearest, j.r.Comparison, j.r.Against = m, cmp, a
	}
	if cmp.Match {
		j.r.Status = Match
	}
	return nil
}

// compareHash compares with a picture that is known by its hash.
func (j *judgement) compareHash(a Approved) {
	if a.SHA256 == newHash {
		j.missing = append(j.missing, a.name())
		return
	}
	if a.From == Self && j.r.Replaces == "" {
		j.r.Replaces = a.SHA256
	}
	if a.SHA256 == j.r.SHA256 {
		j.r.Status, j.r.Against, j.r.Comparison = Match, a, Comparison{Match: true}
		return
	}
	if j.nearest == nil && j.hash == "" {
		j.r.Against = a
	}
	j.hash = a.SHA256
}

// explain says how a picture differs from what is approved.
func (j *judgement) explain() {
	switch r := &j.r; {
	case j.nearest != nil:
		r.Message, r.Change = r.Comparison.Message, changeOf(j.nearest, j.got)
	case j.hash != "":
		r.Message = fmt.Sprintf("the picture has sha256 %s, expected %s", r.SHA256, j.hash)
		r.Change = j.hash + " " + r.SHA256
	default:
		run := ""
		if j.c.Program != nil {
			run = " --run " + quote.Shell(j.c.SourcePath())
		}
		r.Message = fmt.Sprintf("there is no approved image yet (%s); look at the picture, then: pica200 golden update %s --only %s%s", strings.Join(j.missing, ", "), quote.Shell(j.c.suite()), quote.Shell(j.c.Name+":"+j.want.Target), run)
	}
}

// approved returns the approved image that an approval replaces: the first one
// "from self". Images from hardware or another implementation are never
// replaced.
func (want *Image) approved() *Approved {
	for i := range want.Approved {
		if want.Approved[i].From == Self {
			return &want.Approved[i]
		}
	}
	return nil
}

// approve replaces the approved image "from self", or its hash, with got. by is
// the program that drew it.
func approve(c *Case, want Image, got image.Image, r ImageResult, by string, dry bool) ImageResult {
	a := want.approved()
	if a == nil {
		r.Message += "; not updated, because no expected image of this target is from self: add one to " + c.File
		return r
	}
	was := r.Message
	err := func() error {
		if a.SHA256 != "" {
			if dry {
				return nil
			}
			return c.writeHash(*a, r.SHA256)
		}
		if err := c.inputs(); err != nil {
			return err
		}
		if err := files.Free(c.path(*a)); err != nil || dry {
			return err
		}
		root, err := c.root()
		if err != nil {
			return err
		}
		defer root.Close()
		data, err := EncodePNG(got, filepath.Base(c.Source), by)
		if err != nil {
			return err
		}
		return write(root, a.File, data)
	}()
	if err != nil {
		r.Status, r.Message = Failed, err.Error()
		return r
	}
	r.Status, r.Message, r.Against = Updated, "", *a
	if a.SHA256 != "" {
		r.Against.SHA256 = r.SHA256
	}
	if dry {
		r.Message = was
	}
	r.Comparison = Comparison{Match: true}
	return r
}

// plainName matches names that are valid as file names on all systems.
var plainName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9.-]*(_[A-Za-z0-9.-]+)*$`)

// fileName returns a name for files of a report from the name of a case.
// Unusual names get a checksum, so that all cases have different names.
func fileName(name string) string {
	plain := len(name) <= 100
	for _, part := range strings.Split(name, "/") {
		plain = plain && plainName().MatchString(part)
	}
	out := strings.ReplaceAll(name, "/", "__")
	if plain {
		return out
	}
	out = notPlain().ReplaceAllString(out, "_")
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%.60s-%x", strings.TrimLeft(out, "."), sum[:16])
}

var notPlain = lazy.Regexp(`[^A-Za-z0-9._-]+`)

// Suffixes of the images of a report.
const (
	actualSuffix     = "-actual.png"
	expectedSuffix   = "-expected.png"
	differenceSuffix = "-difference.png"
)

func writeImages(c *Case, want Image, expected, got image.Image, r *ImageResult, out string) error {
	for _, a := range want.Approved {
		if a.File != "" {
			if err := files.Inputs(c.path(a)); err != nil {
				return err
			}
		}
	}
	base := fileName(c.Name) + "-" + want.Target
	root, err := files.MakeRoot(out)
	if err != nil {
		return err
	}
	defer root.Close()
	put := func(dst *string, suffix string, m image.Image) error {
		data, err := EncodePNG(m, filepath.Base(c.Source), "")
		if err != nil {
			return err
		}
		*dst = base + suffix
		return write(root, *dst, data)
	}
	if err := put(&r.Actual, actualSuffix, got); err != nil || expected == nil {
		return err
	}
	if err := put(&r.Expected, expectedSuffix, expected); err != nil {
		return err
	}
	return put(&r.Difference, differenceSuffix, Difference(expected, got, want.Tolerance))
}

const blankMessage = "every pixel of the picture is the same; --blank approves it"

// Blank reports whether a picture of colours shows nothing. Other buffers are often
// the same everywhere.
func Blank(target string, m image.Image) bool {
	switch target {
	case "depth", "stencil", "gas", "shadow":
		return false
	}
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if m.At(x, y) != m.At(b.Min.X, b.Min.Y) {
				return false
			}
		}
	}
	return true
}
