//go:build !js || !wasm

package main

import "errors"

func run() error {
	return errors.New("this is the engine for browsers: build it with GOOS=js GOARCH=wasm (make site)")
}
