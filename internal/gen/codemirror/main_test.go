package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// The committed file is what the packages of the lock file make.
func TestBundleIsCommitted(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip(err)
	}
	want, err := bundle()
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want) {
		t.Errorf("serve/page/codemirror.js is not what go run makes (%v)", err)
	}
}
