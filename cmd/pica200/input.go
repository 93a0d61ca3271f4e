package main

import (
	"io"
	"os"

	"pica200/internal/files"
)

// stdinName is what standard input is called in messages.
const stdinName = "standard input"

// read reads a file, or standard input for "-", which can be read once.
func (con *console) read(name string) ([]byte, error) {
	if name != "-" {
		return files.Read(name, files.Max)
	}
	if con.inTaken {
		return nil, usagef("standard input (-) is named twice; it can be read once")
	}
	con.inTaken = true
	var in io.Reader = os.Stdin
	if con.in != nil {
		in = con.in
	}
	return files.ReadAll(in, files.MaxStream)
}

// inputName is how messages call an input.
func inputName(name string) string {
	if name == "-" {
		return stdinName
	}
	return name
}
