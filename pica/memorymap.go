package pica

// The console's physical address space, as far as the GPU sees it. Source:
// 3dbrew, Memory_layout.
const (
	VRAMBase  = 0x18000000
	VRAMSize  = 6 << 20
	ExtraBase = 0x1F000000 // memory that the New 3DS has in addition
	ExtraSize = 4 << 20
	DSPBase   = 0x1FF00000 // DSP memory
	DSPSize   = 512 << 10
	AXIBase   = 0x1FF80000 // AXI work RAM
	AXISize   = 512 << 10
	FCRAMBase = 0x20000000
	FCRAMSize = 128 << 20 // twice that on the New 3DS
)

// The range of addresses at which programs see the I/O registers, and its
// physical address.
const (
	ioVirtualBase  = 0x1EC00000
	ioVirtualEnd   = 0x1F000000
	ioPhysicalBase = 0x10100000
)

// PhysicalAddress maps the address at which programs see an I/O register
// (0x1EC00000-0x1EFFFFFF) to its physical address (0x10100000 up), so that
// the GPU's registers are at 0x10400000 and the screens' at 0x10202000 in
// every trace. Other addresses are returned as they are.
func PhysicalAddress(addr uint32) uint32 {
	if addr >= ioVirtualBase && addr < ioVirtualEnd {
		return addr - ioVirtualBase + ioPhysicalBase
	}
	return addr
}
