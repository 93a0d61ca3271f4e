package golden

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// judge compares an image with the approved ones and writes the differences.
func judge(c *Case, want Image, got image.Image, opt Options) ImageResult {
	r := ImageResult{Target: want.Target, Tolerance: want.Tolerance, Status: Differs, Against: want.Approved[0], SHA256: pictureHash(got)}
	var nearest image.Image
	var missing []string
	hash := "" // hash of an approved picture that differs
	for _, a := range want.Approved {
		if a.SHA256 != "" {
			switch {
			case a.SHA256 == r.SHA256:
				r.Status, r.Against = Match, a
				r.Comparison = Comparison{Match: true}
			case a.SHA256 == newHash:
				missing = append(missing, a.name())
			default:
				if nearest == nil && hash == "" {
					r.Against = a
				}
				hash = a.SHA256
			}
			if a.From == Self && r.Replaces == "" && a.SHA256 != newHash {
				r.Replaces = a.SHA256
			}
			if r.Status == Match {
				break
			}
			continue
		}
		m, err := ReadPNG(c.path(a))
		if errors.Is(err, os.ErrNotExist) {
			missing = append(missing, a.File)
			continue
		}
		if err != nil {
			r.Status, r.Message = Failed, err.Error()
			return r
		}
		if a.From == Self && r.Replaces == "" {
			r.Replaces = pictureHash(m)
		}
		cmp := Compare(m, got, want.Tolerance)
		if nearest == nil || cmp.severity() < r.Comparison.severity() {
			nearest, r.Comparison, r.Against = m, cmp, a
		}
		if cmp.Match {
			r.Status = Match
			break
		}
	}
	switch {
	case r.Status == Match:
		return r
	case nearest != nil:
		r.Message, r.Change = r.Comparison.Message, changeOf(nearest, got)
	case hash != "":
		r.Message = fmt.Sprintf("the picture has sha256 %s, expected %s", r.SHA256, hash)
		r.Change = hash + " " + r.SHA256
	default:
		run := ""
		if c.Program != nil {
			run = " --run " + c.SourcePath()
		}
		r.Message = fmt.Sprintf("there is no approved image yet (%s); look at the picture, then: pica200 golden update %s --only %s:%s%s", strings.Join(missing, ", "), c.suite(), c.Name, want.Target, run)
	}
	if opt.Update {
		return approve(c, want, got, r, "pica200 "+version(), opt.DryRun)
	}
	if opt.Out != "" {
		if err := writeImages(c, want, nearest, got, &r, opt.Out); err != nil {
			r.Status, r.Message = Failed, err.Error()
		}
	}
	return r
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
		if err := c.mayWrite(c.path(*a)); err != nil || dry {
			return err
		}
		data, err := EncodePNG(got, filepath.Base(c.Source), by)
		if err != nil {
			return err
		}
		return writeFile(c.path(*a), data)
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
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.-]*(_[A-Za-z0-9.-]+)*$`)

// fileName returns a name for files of a report from the name of a case.
// Unusual names get a checksum, so that all cases have different names.
func fileName(name string) string {
	plain := len(name) <= 100
	for _, part := range strings.Split(name, "/") {
		plain = plain && plainName.MatchString(part)
	}
	out := strings.ReplaceAll(name, "/", "__")
	if plain {
		return out
	}
	out = notPlain.ReplaceAllString(out, "_")
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%.60s-%x", strings.TrimLeft(out, "."), sum[:16])
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Suffixes of the images of a report.
const (
	actualSuffix     = "-actual.png"
	expectedSuffix   = "-expected.png"
	differenceSuffix = "-difference.png"
)

func writeImages(c *Case, want Image, expected, got image.Image, r *ImageResult, out string) error {
	base := fileName(c.Name) + "-" + want.Target
	put := func(dst *string, suffix string, m image.Image) error {
		data, err := EncodePNG(m, filepath.Base(c.Source), "")
		if err != nil {
			return err
		}
		*dst = base + suffix
		path := filepath.Join(out, *dst)
		var approved []string
		for _, a := range want.Approved {
			if a.File != "" {
				approved = append(approved, c.path(a))
			}
		}
		if err := c.mayWrite(path, approved...); err != nil {
			return err
		}
		return writeFile(path, data)
	}
	if err := put(&r.Actual, actualSuffix, got); err != nil || expected == nil {
		return err
	}
	if err := put(&r.Expected, expectedSuffix, expected); err != nil {
		return err
	}
	return put(&r.Difference, differenceSuffix, Difference(expected, got, want.Tolerance))
}
