package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// blockSize is the size of the struct Block of package raster, which begins with X and Y.
const blockSize = 24

// blockIndices makes the kernel of BlockIndices.Put. It processes four blocks at a time; blocks after the last one count as the first pixel.
func blockIndices() {
	kit.Text("blockIndicesVector", "func(block *int32, index *int32, width int, n int) int",
		"gives the numbers of the first pixels of n blocks in a target of tiles of 8x8, and returns the greatest. There is room for 16.")
	block, index := Load(Param("block"), GP64()), Load(Param("index"), GP64())
	width, n := XMM(), Load(Param("n"), GP64())
	g := Load(Param("width"), GP64())
	VMOVQ(g, width)
	VPBROADCASTD(width, width)
	lane, end, four, greatest := XMM(), XMM(), XMM(), XMM()
	VMOVDQU(kit.Dwords("four", 0, 1, 2, 3), lane)
	VMOVQ(n, end)
	VPBROADCASTD(end, end)
	VMOVDQU(dwords(4), four)
	VPXOR(greatest, greatest, greatest)
	Label("loop")
	var pair [2]VecVirtual
	for k := range pair {
		pair[k] = kit.In(XMM(), VMOVQ, Mem{Base: block, Disp: 2 * k * blockSize})
		VMOVHPS(Mem{Base: block, Disp: (2*k + 1) * blockSize}, pair[k], pair[k])
	}
	x, y, part, at := XMM(), XMM(), XMM(), XMM()
	VSHUFPS(Imm(0x88), pair[1], pair[0], x)
	VSHUFPS(Imm(0xDD), pair[1], pair[0], y)
	// The tile and the quarter in it: bit 2 of y is 32 pixels, bit 2 of x is 16.
	VPAND(dwords(0xFFFFFFF8), y, at)
	VPMULLD(width, at, at)
	VPAND(four, y, part)
	VPSLLD(Imm(3), part, part)
	VPADDD(part, at, at)
	VPAND(dwords(0xFFFFFFF8), x, part)
	VPSLLD(Imm(3), part, part)
	VPADDD(part, at, at)
	VPAND(four, x, part)
	VPSLLD(Imm(2), part, part)
	VPADDD(part, at, at)
	VPCMPGTD(lane, end, part)
	VPAND(part, at, at)
	VMOVDQU(at, Mem{Base: index})
	VPMAXSD(at, greatest, greatest)
	VPADDD(four, lane, lane)
	ADDQ(Imm(4*blockSize), block)
	ADDQ(Imm(16), index)
	SUBQ(Imm(4), n)
	JG(LabelRef("loop"))
	high, most := XMM(), GP32()
	for _, order := range []uint64{0x4E, 0xB1} {
		VPSHUFD(Imm(order), greatest, high)
		VPMAXSD(high, greatest, greatest)
	}
	VMOVD(greatest, most)
	result := kit.In(GP64(), MOVLQSX, most)
	Store(result, ReturnIndex(0))
	kit.Leave()
}
