package main

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"unsafe"

	"pica200/assets/picatrace"
	"pica200/emulator/capi/internal/host"
	"pica200/pica"
	"pica200/pipeline"
)

// cError converts an error to a string that C frees, or nil.
func cError(err error) *C.char {
	if err == nil {
		return nil
	}
	return C.CString(err.Error())
}

func gpu(h C.uintptr_t) *host.GPU { return cgo.Handle(h).Value().(*host.GPU) }

// memory makes a slice of C memory, which does not move; nil for NULL.
func memory(p unsafe.Pointer, n C.uint32_t) []byte {
	if p == nil {
		return nil
	}
	return unsafe.Slice((*byte)(p), uint32(n))
}

var version = C.CString(host.Version())

//export p2go_version
func p2go_version() *C.char { return version }

//export p2go_create
func p2go_create(fcram unsafe.Pointer, fcramSize C.uint32_t, vram unsafe.Pointer, vramSize C.uint32_t, watch, workers C.int, out *C.uintptr_t) *C.char {
	switch {
	case watch != 0 && watch != 1:
		return cError(fmt.Errorf("pica200_create: memory = %d; PICA200_TOLD (0) and PICA200_WATCH (1) are possible", watch))
	case vram == nil && vramSize != 0 && vramSize != pica.VRAMSize:
		return cError(fmt.Errorf("pica200_create: vram is NULL and vram_size is %d; the library's own video memory has %d bytes", vramSize, pica.VRAMSize))
	}
	if fcram != nil && fcramSize == 0 {
		fcramSize = pica.FCRAMSize
	}
	if vramSize == 0 {
		vramSize = pica.VRAMSize
	}
	g, err := host.New(host.Options{
		FCRAM: memory(fcram, fcramSize), VRAM: memory(vram, vramSize), FCRAMSize: uint32(fcramSize),
		Watch: watch != 0, Workers: int(workers),
	})
	if err == nil {
		*out = C.uintptr_t(cgo.NewHandle(g))
	}
	return cError(err)
}

//export p2go_destroy
func p2go_destroy(h C.uintptr_t) {
	gpu(h).Close()
	cgo.Handle(h).Delete()
}

//export p2go_event
func p2go_event(h C.uintptr_t, kind, a, b, c, d, e, f, g C.uint32_t) *C.char {
	return cError(gpu(h).Run(picatrace.Event{
		Kind:  picatrace.Kind(kind),
		Words: [7]uint32{uint32(a), uint32(b), uint32(c), uint32(d), uint32(e), uint32(f), uint32(g)},
	}))
}

//export p2go_read
func p2go_read(h C.uintptr_t, address C.uint32_t, value *C.uint32_t) *C.char {
	v, err := gpu(h).Register(uint32(address))
	*value = C.uint32_t(v)
	return cError(err)
}

//export p2go_set_state
func p2go_set_state(h C.uintptr_t, block C.uint32_t, words *C.uint32_t, count C.uint32_t) *C.char {
	if words == nil && count > 0 {
		return cError(errors.New("pica200_set_state: no words"))
	}
	return cError(gpu(h).SetState(picatrace.Block(block), unsafe.Slice((*uint32)(words), uint32(count))))
}

//export p2go_get_state
func p2go_get_state(h C.uintptr_t, block C.uint32_t, words *C.uint32_t, room C.uint32_t, count *C.uint32_t) *C.char {
	all, err := gpu(h).State(picatrace.Block(block))
	if words != nil {
		copy(unsafe.Slice((*uint32)(words), uint32(room)), all)
	}
	*count = C.uint32_t(len(all))
	return cError(err)
}

//export p2go_invalidate
func p2go_invalidate(h C.uintptr_t, address, size C.uint32_t) *C.char {
	return cError(gpu(h).Invalidate(uint32(address), uint32(size)))
}

//export p2go_load
func p2go_load(h C.uintptr_t, address C.uint32_t, data unsafe.Pointer, size C.uint32_t) *C.char {
	if data == nil && size > 0 {
		return cError(fmt.Errorf("pica200_load: data is NULL; expected %d bytes", size))
	}
	return cError(gpu(h).Load(uint32(address), memory(data, size)))
}

//export p2go_fetch
func p2go_fetch(h C.uintptr_t, address C.uint32_t, data unsafe.Pointer, size C.uint32_t) *C.char {
	if data == nil && size > 0 {
		return cError(fmt.Errorf("pica200_fetch: data is NULL; expected room for %d bytes", size))
	}
	return cError(gpu(h).Fetch(uint32(address), memory(data, size)))
}

//export p2go_screen
func p2go_screen(h C.uintptr_t, screen C.int, rgba unsafe.Pointer, room C.size_t, width, height *C.int) *C.char {
	screens := [...]pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight}
	if screen < 0 || int(screen) >= len(screens) {
		return cError(errors.New("pica200_screen: screens are 0 (top), 1 (bottom) and 2 (top, right eye)"))
	}
	img, err := gpu(h).Screen(screens[screen])
	if err != nil {
		return cError(err)
	}
	*width, *height = C.int(img.Rect.Dx()), C.int(img.Rect.Dy())
	if rgba == nil {
		return nil
	}
	if uint64(room) < uint64(len(img.Pix)) {
		return cError(errors.New("pica200_screen: the buffer is smaller than width * height * 4 bytes"))
	}
	copy(unsafe.Slice((*byte)(rgba), len(img.Pix)), img.Pix)
	return nil
}

//export p2go_reset
func p2go_reset(h C.uintptr_t) *C.char { return cError(gpu(h).Reset()) }

//export p2go_recording_begin
func p2go_recording_begin(h C.uintptr_t, path, producer, title *C.char) *C.char {
	if path == nil {
		return cError(errors.New("pica200_recording_begin: no path"))
	}
	m := picatrace.Meta{Producer: C.GoString(producer), Title: C.GoString(title)}
	return cError(gpu(h).BeginRecording(C.GoString(path), m))
}

//export p2go_recording_frame
func p2go_recording_frame(h C.uintptr_t) *C.char { return cError(gpu(h).EndFrame()) }

//export p2go_recording_end
func p2go_recording_end(h C.uintptr_t) *C.char { return cError(gpu(h).EndRecording()) }
