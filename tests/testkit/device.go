package testkit

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Device is a device for frontend/gl that draws nothing and sums its input.
type Device struct {
	loads, loaded, writes int
	sum                   uint32
}

// Load counts and sums bytes.
func (d *Device) Load(_ context.Context, addr uint32, data []byte) error {
	d.loads, d.loaded = d.loads+1, d.loaded+len(data)
	d.add(uint64(addr), uint64(len(data)))
	d.sum = crc32.Update(d.sum, crc32.IEEETable, data)
	return nil
}

// Read returns zeros.
func (d *Device) Read(_, n uint32) ([]byte, error) { return make([]byte, n), nil }

// WriteRegister counts and sums a register write.
func (d *Device) WriteRegister(_ context.Context, addr uint32, value uint64, width uint8) error {
	d.writes++
	d.add(uint64(addr)|uint64(width)<<32, value)
	return nil
}

// ReadRegister returns 0.
func (d *Device) ReadRegister(uint32) uint32 { return 0 }

func (d *Device) add(v ...uint64) {
	for _, x := range v {
		d.sum = crc32.Update(d.sum, crc32.IEEETable, binary.LittleEndian.AppendUint64(nil, x))
	}
}

// String returns the amount of input and its checksum.
func (d *Device) String() string {
	return fmt.Sprintf("%d bytes in %d loads, %d registers, CRC-32 %08x", d.loaded, d.loads, d.writes, d.sum)
}
