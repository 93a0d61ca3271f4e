package pica

import "fmt"

// ExternalRegister is a register outside the 3D pipeline: fills, transfers,
// the screens, the start of a command list. Its fields carry the low 16 bits
// of the address in Field.Reg.
type ExternalRegister struct {
	Addr   uint32 // physical address
	Name   string // short name of the block and the register: "TRANSFER_FLAGS"
	Doc    string
	Fields []Field
}

// Physical addresses of the external registers. Of a repeated block they are
// those of the first; see StrideMemfill and StridePdc.
const (
	ExtHardwareID         uint32 = 0x10400000
	ExtMemfillStart       uint32 = 0x10400010
	ExtMemfillEnd         uint32 = 0x10400014
	ExtMemfillValue       uint32 = 0x10400018
	ExtMemfillControl     uint32 = 0x1040001C
	ExtVramControl        uint32 = 0x10400030
	ExtBusy               uint32 = 0x10400034
	ExtBacklight          uint32 = 0x104000C0
	ExtPdcLineStart       uint32 = 0x10400404
	ExtPdcLineEdge        uint32 = 0x10400418
	ExtPdcColumnStart     uint32 = 0x10400428
	ExtPdcColumnEdge      uint32 = 0x1040043C
	ExtPdcOverscan        uint32 = 0x1040044C
	ExtPdcSize            uint32 = 0x1040045C
	ExtPdcLineEnd         uint32 = 0x10400460
	ExtPdcColumnEnd       uint32 = 0x10400464
	ExtPdcAddrA0          uint32 = 0x10400468
	ExtPdcAddrA1          uint32 = 0x1040046C
	ExtPdcFormat          uint32 = 0x10400470
	ExtPdcControl         uint32 = 0x10400474
	ExtPdcSelect          uint32 = 0x10400478
	ExtPdcLutIndex        uint32 = 0x10400480
	ExtPdcLutData         uint32 = 0x10400484
	ExtPdcStride          uint32 = 0x10400490
	ExtPdcAddrB0          uint32 = 0x10400494
	ExtPdcAddrB1          uint32 = 0x10400498
	ExtTransferInput      uint32 = 0x10400C00
	ExtTransferOutput     uint32 = 0x10400C04
	ExtTransferOutputDim  uint32 = 0x10400C08
	ExtTransferInputDim   uint32 = 0x10400C0C
	ExtTransferFlags      uint32 = 0x10400C10
	ExtTransferStart      uint32 = 0x10400C18
	ExtTextureCopySize    uint32 = 0x10400C20
	ExtTextureCopyInput   uint32 = 0x10400C24
	ExtTextureCopyOutput  uint32 = 0x10400C28
	ExtInternal           uint32 = 0x10401000 // internal register 0 for the CPU
	ExtCommandListSize    uint32 = 0x104018E0
	ExtCommandListAddr    uint32 = 0x104018E8
	ExtCommandListStart   uint32 = 0x104018F0
	ExtLcdFillTop         uint32 = 0x10202204
	ExtLcdBacklightTop    uint32 = 0x10202240
	ExtLcdFillBottom      uint32 = 0x10202A04
	ExtLcdBacklightBottom uint32 = 0x10202A40
	StrideMemfill         uint32 = 0x10  // two fill units
	StridePdc             uint32 = 0x100 // top screen, then bottom screen
)

// ScreenFormat is the layout of a pixel in a screen's framebuffer and in
// display transfers. It differs from ColorFormat, that of render targets: 2 and
// 3 are exchanged.
type ScreenFormat uint8

// The values of ScreenFormat. Above 4 the hardware outputs RGBA8 with doubled
// pixels.
const (
	ScreenFormatRGBA8  ScreenFormat = 0
	ScreenFormatRGB8   ScreenFormat = 1
	ScreenFormatRGB565 ScreenFormat = 2
	ScreenFormatRGB5A1 ScreenFormat = 3
	ScreenFormatRGBA4  ScreenFormat = 4
)

// ScreenFormats names the values of ScreenFormat.
var ScreenFormats = newEnum("ScreenFormat",
	ev(ScreenFormatRGBA8, "rgba8", "32 bits"),
	ev(ScreenFormatRGB8, "rgb8", "24 bits"),
	ev(ScreenFormatRGB565, "rgb565", "16 bits"),
	ev(ScreenFormatRGB5A1, "rgb5a1", "16 bits"),
	ev(ScreenFormatRGBA4, "rgba4", "16 bits"),
)

func (f ScreenFormat) String() string { return ScreenFormats.Format(uint32(f)) }

// FillWidth is the size of the value that a memory fill repeats.
type FillWidth uint8

// The values of FillWidth.
const (
	Fill16   FillWidth = 0
	Fill24   FillWidth = 1
	Fill32   FillWidth = 2
	Fill24x3 FillWidth = 3
)

// FillWidths names the values of FillWidth.
var FillWidths = newEnum("FillWidth",
	ev(Fill16, "16", ""), ev(Fill24, "24", ""), ev(Fill32, "32", ""), ev(Fill24x3, "24x3", "as 24"),
)

func (w FillWidth) String() string { return FillWidths.Format(uint32(w)) }

// TransferScale is the factor by which a display transfer shrinks the image.
type TransferScale uint8

// The values of TransferScale.
const (
	TransferScaleNone    TransferScale = 0
	TransferScale2x1     TransferScale = 1
	TransferScale2x2     TransferScale = 2
	TransferScaleInvalid TransferScale = 3
)

// TransferScales names the values of TransferScale.
var TransferScales = newEnum("TransferScale",
	ev(TransferScaleNone, "none", ""), ev(TransferScale2x1, "2x1", "mean of two pixels"),
	ev(TransferScale2x2, "2x2", "mean of four pixels"), ev(TransferScaleInvalid, "invalid", ""),
)

func (s TransferScale) String() string { return TransferScales.Format(uint32(s)) }

// Interlace says which framebuffers the lines of a screen come from.
type Interlace uint8

// The values of Interlace.
const (
	InterlaceA  Interlace = 0
	InterlaceAA Interlace = 1
	InterlaceAB Interlace = 2
	InterlaceBA Interlace = 3
)

// Interlaces names the values of Interlace.
var Interlaces = newEnum("Interlace",
	ev(InterlaceA, "a", "A only"), ev(InterlaceAA, "aa", "every line of A twice"),
	ev(InterlaceAB, "ab", "A and B in turn: left and right eye"), ev(InterlaceBA, "ba", "B and A in turn"),
)

func (i Interlace) String() string { return Interlaces.Format(uint32(i)) }

// ext is the low half of an address, which external registers have as
// Field.Reg.
func ext(addr uint32) Reg { return Reg(addr & 0xFFFF) }

// Fields of the external registers.
var (
	VramBankDisable = raw(ext(ExtVramControl), "banks off", 8, 4, TypeBits, "bit i: bank i")
	BusyFill0       = boolean(ext(ExtBusy), "fill 0", 26, "")
	BusyFill1       = boolean(ext(ExtBusy), "fill 1", 27, "")
	BusyTransfer    = boolean(ext(ExtBusy), "transfer", 30, "")
	BusyDraw        = boolean(ext(ExtBusy), "draw", 31, "")
	HardwareID      = raw(ext(ExtHardwareID), "id", 0, 32, TypeBits, "")
	BacklightForce  = boolean(ext(ExtBacklight), "always on", 29, "")

	MemfillStart    = raw(ext(ExtMemfillStart), "address", 1, 28, TypeAddress16, "first byte")
	MemfillEnd      = raw(ext(ExtMemfillEnd), "address", 1, 28, TypeAddress16, "after the last byte")
	MemfillValue    = raw(ext(ExtMemfillValue), "value", 0, 32, TypeBits, "")
	MemfillTrigger  = boolean(ext(ExtMemfillControl), "busy", 0, "writing 1 starts the fill")
	MemfillFinished = boolean(ext(ExtMemfillControl), "finished", 1, "")
	MemfillWidth    = enum(ext(ExtMemfillControl), "width", 8, 2, FillWidths, "")

	PdcOverscan = raw(ext(ExtPdcOverscan), "colour", 0, 24, TypeBits, "0xBBGGRR, of what the image does not cover")
	PdcWidth    = uns(ext(ExtPdcSize), "width", 0, 16, "pixels of a line that are read; the last is repeated")
	PdcHeight   = uns(ext(ExtPdcSize), "height", 16, 16, "has no effect")

	// Times in pixels of a line, and in lines. From the edge to the start there is border, from the start to the end the picture.
	PdcLineStart   = uns(ext(ExtPdcLineStart), "time", 0, 12, "pixels")
	PdcLineEdge    = uns(ext(ExtPdcLineEdge), "time", 0, 12, "pixels")
	PdcColumnStart = uns(ext(ExtPdcColumnStart), "time", 0, 12, "lines")
	PdcColumnEdge  = uns(ext(ExtPdcColumnEdge), "time", 0, 12, "lines")
	PdcLineEnd     = uns(ext(ExtPdcLineEnd), "time", 16, 12, "pixels")
	PdcColumnEnd   = uns(ext(ExtPdcColumnEnd), "time", 16, 12, "lines")

	PdcAddrA0     = raw(ext(ExtPdcAddrA0), "address", 4, 28, TypeAddress16, "")
	PdcAddrA1     = raw(ext(ExtPdcAddrA1), "address", 4, 28, TypeAddress16, "")
	PdcAddrB0     = raw(ext(ExtPdcAddrB0), "address", 4, 28, TypeAddress16, "")
	PdcAddrB1     = raw(ext(ExtPdcAddrB1), "address", 4, 28, TypeAddress16, "")
	PdcFormat     = enum(ext(ExtPdcFormat), "format", 0, 3, ScreenFormats, "")
	PdcInterlace  = enum(ext(ExtPdcFormat), "interlace", 4, 2, Interlaces, "")
	PdcDouble     = boolean(ext(ExtPdcFormat), "double", 6, "doubles lines (top) or pixels (bottom)")
	PdcDmaSize    = uns(ext(ExtPdcFormat), "dma size", 8, 2, "bursts of 32 << n bytes")
	PdcEnable     = boolean(ext(ExtPdcControl), "enable", 0, "")
	PdcHBlankMask = boolean(ext(ExtPdcControl), "hblank off", 8, "")
	PdcVBlankMask = boolean(ext(ExtPdcControl), "vblank off", 9, "")
	PdcErrorMask  = boolean(ext(ExtPdcControl), "error off", 10, "")
	PdcOutput     = boolean(ext(ExtPdcControl), "output", 16, "")
	PdcNext       = uns(ext(ExtPdcSelect), "next", 0, 1, "0: addresses 0, 1: addresses 1")
	PdcCurrent    = uns(ext(ExtPdcSelect), "current", 4, 1, "")
	PdcLutIndex   = uns(ext(ExtPdcLutIndex), "index", 0, 8, "")
	PdcLutData    = raw(ext(ExtPdcLutData), "colour", 0, 24, TypeBits, "0xBBGGRR; the index goes up by 1")
	PdcStride     = raw(ext(ExtPdcStride), "stride", 0, 32, TypeSigned, "bytes from a line to the next, the lower 4 bits do not count; a line is a column of the console held upright")

	TransferInput        = raw(ext(ExtTransferInput), "address", 1, 28, TypeAddress16, "")
	TransferOutput       = raw(ext(ExtTransferOutput), "address", 1, 28, TypeAddress16, "")
	TransferOutputWidth  = uns(ext(ExtTransferOutputDim), "width", 0, 16, "pixels; the lower 3 bits do not count")
	TransferOutputHeight = uns(ext(ExtTransferOutputDim), "height", 16, 16, "pixels; the lower 3 bits do not count")
	TransferInputWidth   = uns(ext(ExtTransferInputDim), "width", 0, 16, "pixels; the lower 3 bits do not count")
	TransferInputHeight  = uns(ext(ExtTransferInputDim), "height", 16, 16, "pixels; the lower 3 bits do not count")
	TransferFlip         = boolean(ext(ExtTransferFlags), "flip", 0, "turned upside down")
	TransferToTiled      = boolean(ext(ExtTransferFlags), "linear to tiled", 1, "")
	TransferCrop         = boolean(ext(ExtTransferFlags), "crop", 2, "output narrower than input, whose lines are else as wide as the output's; texture copy with gaps")
	TransferTextureCopy  = boolean(ext(ExtTransferFlags), "texture copy", 3, "bytes are copied as they are")
	TransferTiledToTiled = boolean(ext(ExtTransferFlags), "tiled to tiled", 5, "")
	TransferInputFormat  = enum(ext(ExtTransferFlags), "input format", 8, 3, ScreenFormats, "5 to 7 are as 4")
	TransferOutputFormat = enum(ext(ExtTransferFlags), "output format", 12, 3, ScreenFormats, "5 to 7 are as 4")
	TransferBlock32      = boolean(ext(ExtTransferFlags), "block 32", 16, "tiles of 32x32 pixels instead of 8x8")
	TransferScaleMode    = enum(ext(ExtTransferFlags), "scale", 24, 2, TransferScales, "")
	TransferTrigger      = boolean(ext(ExtTransferStart), "busy", 0, "writing 1 starts the transfer")
	TransferFinished     = boolean(ext(ExtTransferStart), "finished", 8, "")

	TextureCopySize        = uns(ext(ExtTextureCopySize), "size", 0, 32, "bytes, without the gaps; the lower 4 bits do not count")
	TextureCopyInputWidth  = uns(ext(ExtTextureCopyInput), "width", 0, 16, "of a line, in 16 bytes")
	TextureCopyInputGap    = uns(ext(ExtTextureCopyInput), "gap", 16, 16, "after a line, in 16 bytes")
	TextureCopyOutputWidth = uns(ext(ExtTextureCopyOutput), "width", 0, 16, "of a line, in 16 bytes")
	TextureCopyOutputGap   = uns(ext(ExtTextureCopyOutput), "gap", 16, 16, "after a line, in 16 bytes")

	CommandListSize    = uns(ext(ExtCommandListSize), "size", 1, 20, "units of 16 bytes")
	CommandListAddr    = raw(ext(ExtCommandListAddr), "address", 1, 28, TypeAddress16, "")
	CommandListTrigger = boolean(ext(ExtCommandListStart), "start", 0, "")

	LcdFillR          = raw(ext(ExtLcdFillTop), "red", 0, 8, TypeUnorm8, "")
	LcdFillG          = raw(ext(ExtLcdFillTop), "green", 8, 8, TypeUnorm8, "")
	LcdFillB          = raw(ext(ExtLcdFillTop), "blue", 16, 8, TypeUnorm8, "")
	LcdFillEnable     = boolean(ext(ExtLcdFillTop), "enable", 24, "the screen shows the colour instead of its framebuffer")
	LcdBacklightLevel = uns(ext(ExtLcdBacklightTop), "level", 0, 32, "brightness")
)

// ExternalRegisters is the map of the external registers, ordered by address.
var ExternalRegisters = joinExternal(
	external(ExtLcdFillTop, "LCD_TOP_FILL", "Colour of the whole top screen.", LcdFillR, LcdFillG, LcdFillB, LcdFillEnable),
	external(ExtLcdBacklightTop, "LCD_TOP_BACKLIGHT", "Backlight of the top screen.", LcdBacklightLevel),
	external(ExtLcdFillBottom, "LCD_BOTTOM_FILL", "Colour of the whole bottom screen.", LcdFillR, LcdFillG, LcdFillB, LcdFillEnable),
	external(ExtLcdBacklightBottom, "LCD_BOTTOM_BACKLIGHT", "Backlight of the bottom screen.", LcdBacklightLevel),
	external(ExtHardwareID, "HARDWARE_ID", "0x00010002 on every console.", HardwareID),
	memfills(),
	external(ExtVramControl, "VRAM_CONTROL", "Banks of video memory.", VramBankDisable),
	external(ExtBusy, "BUSY", "What the GPU has done: interrupts that wait (GBATEK; 3dbrew calls them busy bits).", BusyFill0, BusyFill1, BusyTransfer, BusyDraw),
	external(ExtBacklight, "BACKLIGHT", "Backlights.", BacklightForce),
	screens(),
	external(ExtTransferInput, "TRANSFER_INPUT", "Where a transfer reads.", TransferInput),
	external(ExtTransferOutput, "TRANSFER_OUTPUT", "Where a transfer writes.", TransferOutput),
	external(ExtTransferOutputDim, "TRANSFER_OUTPUT_DIM", "Size that a display transfer writes, before scaling.", TransferOutputWidth, TransferOutputHeight),
	external(ExtTransferInputDim, "TRANSFER_INPUT_DIM", "Size that a display transfer reads.", TransferInputWidth, TransferInputHeight),
	external(ExtTransferFlags, "TRANSFER_FLAGS", "Kind of transfer. Texture copy comes before tiled to tiled, that before linear to tiled; without these it is tiled to linear.",
		TransferFlip, TransferToTiled, TransferCrop, TransferTextureCopy, TransferTiledToTiled,
		TransferInputFormat, TransferOutputFormat, TransferBlock32, TransferScaleMode),
	external(ExtTransferStart, "TRANSFER_START", "Starts a transfer.", TransferTrigger, TransferFinished),
	external(ExtTextureCopySize, "TEXTURECOPY_SIZE", "Size of a texture copy.", TextureCopySize),
	external(ExtTextureCopyInput, "TEXTURECOPY_INPUT", "Lines that a texture copy reads.", TextureCopyInputWidth, TextureCopyInputGap),
	external(ExtTextureCopyOutput, "TEXTURECOPY_OUTPUT", "Lines that a texture copy writes.", TextureCopyOutputWidth, TextureCopyOutputGap),
	external(ExtCommandListSize, "COMMANDLIST_SIZE", "Size of a command list.", CommandListSize),
	external(ExtCommandListAddr, "COMMANDLIST_ADDR", "Address of a command list.", CommandListAddr),
	external(ExtCommandListStart, "COMMANDLIST_START", "Runs a command list.", CommandListTrigger),
)

var externalByAddr = func() map[uint32]*ExternalRegister {
	m := make(map[uint32]*ExternalRegister, len(ExternalRegisters))
	for _, r := range ExternalRegisters {
		m[r.Addr] = r
	}
	return m
}()

// LookupExternal returns the external register at a physical address.
func LookupExternal(addr uint32) (*ExternalRegister, bool) {
	r, ok := externalByAddr[addr]
	return r, ok
}

func external(addr uint32, name, doc string, fields ...Field) []*ExternalRegister {
	moved := make([]Field, len(fields))
	for i, f := range fields {
		f.Reg = ext(addr)
		moved[i] = f
	}
	return []*ExternalRegister{{Addr: addr, Name: name, Doc: doc, Fields: moved}}
}

func memfills() (rs []*ExternalRegister) {
	for i := range uint32(2) {
		name, at := fmt.Sprintf("MEMFILL%d_", i), i*StrideMemfill
		rs = append(rs, joinExternal(
			external(ExtMemfillStart+at, name+"START", "Where a memory fill begins.", MemfillStart),
			external(ExtMemfillEnd+at, name+"END", "Where a memory fill ends.", MemfillEnd),
			external(ExtMemfillValue+at, name+"VALUE", "What a memory fill writes.", MemfillValue),
			external(ExtMemfillControl+at, name+"CONTROL", "Starts a memory fill.", MemfillTrigger, MemfillFinished, MemfillWidth),
		)...)
	}
	return rs
}

func screens() (rs []*ExternalRegister) {
	for i, screen := range []string{"TOP", "BOTTOM"} {
		name, at := "PDC_"+screen+"_", uint32(i)*StridePdc
		rs = append(rs, joinExternal(
			external(ExtPdcLineStart+at, name+"LINE_START", "When the image begins in a line, behind the border; 0 in all six was never written: no border.", PdcLineStart),
			external(ExtPdcLineEdge+at, name+"LINE_EDGE", "When the border before the image begins in a line.", PdcLineEdge),
			external(ExtPdcColumnStart+at, name+"COLUMN_START", "When the first line of the image comes.", PdcColumnStart),
			external(ExtPdcColumnEdge+at, name+"COLUMN_EDGE", "When the first line of the border comes.", PdcColumnEdge),
			external(ExtPdcOverscan+at, name+"OVERSCAN", "Colour beside the image.", PdcOverscan),
			external(ExtPdcSize+at, name+"SIZE", "Size of the image, which lies on its side.", PdcWidth, PdcHeight),
			external(ExtPdcLineEnd+at, name+"LINE_END", "When the image ends in a line.", PdcLineEnd),
			external(ExtPdcColumnEnd+at, name+"COLUMN_END", "When the last line of the image has come.", PdcColumnEnd),
			external(ExtPdcAddrA0+at, name+"ADDR_A0", "First framebuffer A, the left eye.", PdcAddrA0),
			external(ExtPdcAddrA1+at, name+"ADDR_A1", "Second framebuffer A, the left eye.", PdcAddrA1),
			external(ExtPdcFormat+at, name+"FORMAT", "Format of the framebuffers.", PdcFormat, PdcInterlace, PdcDouble, PdcDmaSize),
			external(ExtPdcControl+at, name+"CONTROL", "Display controller.", PdcEnable, PdcHBlankMask, PdcVBlankMask, PdcErrorMask, PdcOutput),
			external(ExtPdcSelect+at, name+"SELECT", "Which framebuffers are shown.", PdcNext, PdcCurrent),
			external(ExtPdcLutIndex+at, name+"LUT_INDEX", "Entry of the colour table.", PdcLutIndex),
			external(ExtPdcLutData+at, name+"LUT_DATA", "Colour table.", PdcLutData),
			external(ExtPdcStride+at, name+"STRIDE", "Distance of lines.", PdcStride),
			external(ExtPdcAddrB0+at, name+"ADDR_B0", "First framebuffer B, the right eye.", PdcAddrB0),
			external(ExtPdcAddrB1+at, name+"ADDR_B1", "Second framebuffer B, the right eye.", PdcAddrB1),
		)...)
	}
	return rs
}

func joinExternal(rows ...[]*ExternalRegister) (rs []*ExternalRegister) {
	for _, row := range rows {
		rs = append(rs, row...)
	}
	return rs
}
