package golden

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"pica200/assets/imagefile"
	"pica200/internal/files"
)

// HistoryOfCommits reads the history of the approved pictures of the suite in
// dir from git: of stored files, and of hashes in case files. A file that was
// only compressed differently is the same picture. It follows the first parent,
// so that a merge counts as one change.
func HistoryOfCommits(ctx context.Context, dir string) (*History, error) {
	log, err := git(ctx, dir, "log", "--reverse", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--relative",
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-color", "--format=%x01%H %ct %s", "--", ".")
	if err != nil {
		return nil, err
	}
	blobs, err := openBlobs(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer blobs.close()
	t := timeline{last: map[string]string{}}
	var now Change
	words := strings.Split(string(log), "\x00")
	for i := 0; i < len(words); i++ {
		word := strings.TrimLeft(words[i], "\n")
		if head, ok := strings.CutPrefix(word, "\x01"); ok {
			fields := strings.SplitN(head, " ", 3)
			if len(fields) < 3 {
				return nil, fmt.Errorf("git log of %s: %q is not the first line of a commit", dir, head)
			}
			seconds, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("git log of %s: %q is not a time", dir, fields[1])
			}
			now = Change{Commit: fields[0], Time: time.Unix(seconds, 0).UTC(), Subject: fields[2]}
			t.h.Commits++
			continue
		}
		if !strings.HasPrefix(word, ":") || i+1 == len(words) {
			continue
		}
		fields, path := strings.Fields(word), words[i+1]
		i++
		if len(fields) != 5 || hidden(path) {
			continue
		}
		blob, removed := fields[3], strings.Trim(fields[3], "0") == ""
		switch {
		case strings.HasSuffix(path, ".png"):
			is := ""
			if !removed {
				if is, err = blobs.picture(blob); err != nil {
					return nil, err
				}
			}
			t.at(path, is, now)
		case strings.HasSuffix(path, Suffix):
			if err := t.hashes(path, blob, removed, blobs, now); err != nil {
				return nil, err
			}
		}
	}
	return t.done(), nil
}

// hashes notes the hashes that a case file expects.
func (t *timeline) hashes(path, blob string, removed bool, blobs *blobs, now Change) error {
	name := strings.TrimSuffix(path, Suffix)
	is := map[string]string{}
	if !removed {
		src, err := blobs.read(blob)
		if err != nil {
			return err
		}
		c, err := parseCase(name, path, src)
		if err != nil {
			return nil // broken at that commit: expectation unknown
		}
		for _, img := range c.Images {
			for _, a := range img.Approved {
				if a.SHA256 != "" && a.SHA256 != newHash {
					is[img.Target] = strings.TrimSpace(is[img.Target] + " " + a.SHA256)
				}
			}
		}
	}
	for _, target := range Targets {
		if _, known := t.last[name+":"+target]; known || is[target] != "" {
			t.at(name+":"+target, is[target], now)
		}
	}
	return nil
}

// hidden reports whether LoadDir skips a folder.
func hidden(path string) bool {
	parts := strings.Split(path, "/")
	for _, p := range parts[:len(parts)-1] {
		if p != "" && (p[0] == '.' || p[0] == '_') {
			return true
		}
	}
	return false
}

// command runs git on the repository of dir, without running anything that the
// repository's settings name.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager", "-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	return cmd
}

// maxLog limits the output of git, in bytes.
const maxLog = 256 << 20

func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := command(ctx, dir, args...)
	var text bytes.Buffer
	cmd.Stderr = &text
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the history needs git: %w", err)
	}
	data, err := files.ReadAll(out, maxLog)
	if err != nil {
		cmd.Process.Kill()
	}
	if werr := cmd.Wait(); err == nil && werr != nil {
		err = fmt.Errorf("git has no history of %s: %s", dir, firstLine(strings.TrimSpace(text.String())))
	}
	return data, err
}

// blobs reads files of a repository through "git cat-file --batch".
type blobs struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	hashes map[string]string // of pictures, by blob
}

func openBlobs(ctx context.Context, dir string) (*blobs, error) {
	b := &blobs{cmd: command(ctx, dir, "cat-file", "--batch"), hashes: map[string]string{}}
	var err error
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.out = bufio.NewReader(out)
	return b, b.cmd.Start()
}

func (b *blobs) close() {
	b.in.Close()
	b.cmd.Process.Kill()
	b.cmd.Wait()
}

func (b *blobs) read(blob string) ([]byte, error) {
	if _, err := fmt.Fprintln(b.in, blob); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	head, err := b.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, fmt.Errorf("git cat-file %s: %s", blob, strings.TrimSpace(head))
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size > files.MaxStream {
		return nil, fmt.Errorf("git cat-file %s: %s bytes are more than the %d that are read", blob, fields[2], files.MaxStream)
	}
	data := make([]byte, size+1) // and a line feed
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, fmt.Errorf("git cat-file %s: %w", blob, err)
	}
	return data[:size], nil
}

// picture returns the pictureHash of a PNG, or an identifier for a file that is
// not one, for example a pointer to a large file.
func (b *blobs) picture(blob string) (string, error) {
	if h, ok := b.hashes[blob]; ok {
		return h, nil
	}
	data, err := b.read(blob)
	if err != nil {
		return "", err
	}
	h := "file " + blob
	if m, err := imagefile.DecodePNG(data, maxPixels); err == nil {
		h = pictureHash(m)
	}
	b.hashes[blob] = h
	return h, nil
}
