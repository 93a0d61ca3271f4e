package gl

import (
	"context"
	"pica200/assets/citrace"
)

// Device is what a Context drives: physical memory, and the registers that a
// CPU can access. *pipeline.GPU implements it.
type Device interface {
	// Load writes data to physical memory.
	Load(ctx context.Context, addr uint32, data []byte) error
	// Read returns physical memory after all queued work that writes to it.
	Read(addr, n uint32) ([]byte, error)
	// WriteRegister writes width bytes to the register at a physical address.
	WriteRegister(ctx context.Context, addr uint32, value uint64, width uint8) error
	// ReadRegister returns the register at a physical address.
	ReadRegister(addr uint32) uint32
}

// Recorder is a Device that forwards everything to another one and records it
// as a trace. Earlier memory contents of the other device are not recorded, so
// begin with a new Device and a new Context.
type Recorder struct {
	Device
	Trace citrace.Builder
}

// NewRecorder returns a recorder in front of a device.
func NewRecorder(d Device) *Recorder { return &Recorder{Device: d} }

// Load implements Device.
func (r *Recorder) Load(ctx context.Context, addr uint32, data []byte) error {
	if err := r.Device.Load(ctx, addr, data); err != nil {
		return err
	}
	r.Trace.Load(addr, data)
	return nil
}

// WriteRegister implements Device.
func (r *Recorder) WriteRegister(ctx context.Context, addr uint32, value uint64, width uint8) error {
	if err := r.Device.WriteRegister(ctx, addr, value, width); err != nil {
		return err
	}
	r.Trace.WriteWidth(addr, width, value)
	return nil
}

// EndFrame puts a frame marker into the trace.
func (r *Recorder) EndFrame() { r.Trace.EndFrame() }
