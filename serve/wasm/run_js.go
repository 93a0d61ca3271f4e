//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"errors"
	"syscall/js"
	"time"

	"pica200/serve/engine"
)

// run defines the functions and stays for their calls.
func run() error {
	var e *engine.Engine
	var told time.Time
	progress := func(done, total int) {
		if tell := js.Global().Get("pica200Progress"); time.Since(told) > 200*time.Millisecond && tell.Truthy() {
			told = time.Now()
			tell.Invoke(done, total)
		}
	}
	options := engine.Options{Workers: 1, CheckpointBytes: 64 << 20, Scenes: scenes(progress), Progress: progress}
	// pica200Open(name, bytes, known) makes an engine for a recording; known is an
	// engine.Known as JSON or "". Without arguments it makes an engine for scenes
	// only.
	js.Global().Set("pica200Open", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) < 2 {
			e = engine.New(options)
			return nil
		}
		data := make([]byte, args[1].Length())
		js.CopyBytesToGo(data, args[1])
		known := &engine.Known{}
		if len(args) > 2 {
			if json.Unmarshal([]byte(args[2].String()), known) != nil {
				*known = engine.Known{} // it is damaged; the recording can still be used
			}
		}
		e = engine.New(options, engine.Recorded(args[0].String(), data, known))
		return nil
	}))
	// pica200Ask(json) returns [status, binary, bytes]; status is "" or an error's
	// code.
	js.Global().Set("pica200Ask", js.FuncOf(func(_ js.Value, args []js.Value) any {
		code, binaryToo, data := ask(e, args[0].String())
		bytes := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(bytes, data)
		return js.Global().Get("Array").Call("of", code, binaryToo, bytes)
	}))
	select {}
}

// ask answers a request, or returns an error in the form of the protocol.
func ask(e *engine.Engine, request string) (code string, binaryToo bool, data []byte) {
	err := errors.New("no recording is open")
	if e != nil {
		var r *engine.Request
		if r, err = engine.ParseRequest([]byte(request)); err == nil {
			var a *engine.Answer
			if a, err = e.Do(context.Background(), r); err == nil {
				if data, binaryToo, err = a.Encode(); err == nil {
					return "", binaryToo, data
				}
			}
		}
	}
	said := engine.ErrorOf(err)
	if data, err = json.Marshal(said); err != nil {
		data = []byte(`{}`) // not with words
	}
	return said.Code, false, data
}
