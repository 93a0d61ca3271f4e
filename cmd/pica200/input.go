package main

import (
	"io"
	"os"

	"pica200/assets/picatrace"
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
	data, err := con.peek()
	con.inTaken, con.inData = true, nil
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

// notStdin refuses standard input for what is no trace.
func notStdin(name string) error {
	if name == "-" {
		return usagef("standard input (-) is no trace; scenes and models need the name of a file, for they name others beside it")
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
