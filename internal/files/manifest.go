package files

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Manifest is the name of the file in which a Folder lists what it wrote, one
// file a line, in the format of sha256sum.
const Manifest = "files.sha256"

const manifestHead = "# Written by pica200, which replaces these files as long as nobody changes them, and no others."

// maxManifest bounds a manifest that is read, in bytes.
const maxManifest = 16 << 20

func writeManifest(sums map[string]sum) []byte {
	var b bytes.Buffer
	b.WriteString(manifestHead + "\n")
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		s := sums[name]
		fmt.Fprintf(&b, "%x  %s\n", s[:], name)
	}
	return b.Bytes()
}

// readManifest reads the list of files that the folder wrote earlier. A file with that name that is no manifest is not ours.
func readManifest(root *os.Root) (sums map[string]sum, ours bool) {
	f, err := openRegular(root, Manifest)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxManifest))
	if !lines.Scan() || lines.Text() != manifestHead {
		return nil, false
	}
	sums = map[string]sum{}
	for lines.Scan() {
		digits, name, ok := strings.Cut(lines.Text(), "  ")
		b, err := hex.DecodeString(digits)
		if !ok || err != nil || len(b) != sha256.Size || !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, false
		}
		sums[name] = sum(b)
	}
	return sums, lines.Err() == nil
}

// fileSum returns the checksum of a file, zero for a link or a device.
func fileSum(root *os.Root, name string) (s sum, there bool, err error) {
	f, err := openRegular(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, false, nil
	case errors.Is(err, errNotRegular):
		return s, true, nil
	case err != nil:
		return s, false, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return s, true, err
	}
	return sum(h.Sum(nil)), true, nil
}

var (
	errNotRegular = errors.New("not a regular file")
	errFolder     = errors.New("a folder is there")
)

func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errFolder
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return root.Open(name)
}
