package main

import (
	"fmt"
	"io"
	"os"

	"pica200/assets/picatrace"
	"pica200/internal/files"
)

// stdinName is what standard input is called in messages.
const stdinName = "standard input"

// read reads a file, or standard input for "-", which can be read once.
func (con *console) read(name string) ([]byte, error) { return con.readUpTo(name, files.Max) }

// readUpTo is read for what has at most limit bytes.
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

// peek reads standard input and keeps it for who takes it with read.
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

// isTrace is the function isTrace, also of standard input.
func (con *console) isTrace(name string) bool {
	if name != "-" {
		return isTrace(name)
	}
	data, err := con.peek()
	return err == nil && picatrace.IsTrace(data)
}

// notStdin refuses standard input where a file or a folder is needed, for what lies beside
// it or is read again.
func notStdin(what, name string) error {
	if name == "-" {
		return usagef("standard input (-) cannot be read for %s, which needs the name of a file or folder; ./- is one of that name", what)
	}
	return nil
}

// inputName is how messages call an input.
func inputName(name string) string {
	if name == "-" {
		return stdinName
	}
	return name
}
