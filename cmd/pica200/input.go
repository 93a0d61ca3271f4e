package main

import (
	"fmt"
	"io"
	"os"

	"pica200/assets/picatrace"
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
	data, err := con.peek()
	con.inTaken, con.inData = true, nil
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", stdinName, len(data), limit)
	}
	return data, err
}

// peek reads standard input and keeps it for a later read.
func (con *console) peek() ([]byte, error) {
	if con.inData != nil {
		return con.inData, nil
	}
	var in io.Reader = os.Stdin
	if con.in != nil {
		in = con.in
	}
	var err error
	con.inData, err = files.ReadAll(in, files.MaxStream)
	return con.inData, err
}

// isTrace is the function isTrace, also for standard input.
func (con *console) isTrace(name string) bool {
	if name != "-" {
		return isTrace(name)
	}
	data, err := con.peek()
	return err == nil && picatrace.IsTrace(data)
}

// notStdin returns an error for standard input where a file or a folder is
// needed, because of files beside it or because it is read again.
func notStdin(what, name string) error {
	if name == "-" {
		return usagef("standard input (-) cannot be read for %s, which needs the name of a file or folder; ./- is one of that name", what)
	}
	return nil
}

// inputName is the name of an input in messages.
func inputName(name string) string {
	if name == "-" {
		return stdinName
	}
	return name
}
