package main

import (
	"fmt"
	"io"
	"os"

	"pica200/internal/files"
)

// stdinName is the name of standard input in messages.
const stdinName = "standard input"

// read reads a file, or standard input for "-", which can be read only once.
func (con *console) read(name string) ([]byte, error) { return con.readUpTo(name, files.Max) }

// readUpTo is read with a limit of bytes.
func (con *console) readUpTo(name string, limit int64) ([]byte, error) {
	if name != "-" {
		return files.Read(name, limit)
	}
	if con.inTaken {
		return nil, usagef("standard input (-) is named twice; it can be read once")
	}
	var in io.Reader = os.Stdin
	if con.in != nil {
		in = con.in
	}
	data, err := files.ReadAll(in, files.MaxStream)
	con.inTaken = true
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", stdinName, len(data), limit)
	}
	return data, err
}

// inputName is the name of an input in messages.
func inputName(name string) string {
	if name == "-" {
		return stdinName
	}
	return name
}
