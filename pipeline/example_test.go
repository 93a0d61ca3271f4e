package pipeline_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
)

// A memory fill can be started with parameters, or by register writes as programs do.
func ExampleGPU_Fill() {
	ctx := context.Background()
	g := pipeline.New(pipeline.Options{})
	defer g.Close()
	if err := g.Fill(ctx, pipeline.Fill{Start: pica.VRAMBase, End: pica.VRAMBase + 32, Bits: 32, Value: 0x11223344}); err != nil {
		log.Fatal(err)
	}
	for _, w := range [][2]uint32{
		{pica.ExtMemfillStart, (pica.VRAMBase + 16) >> 3},
		{pica.ExtMemfillEnd, (pica.VRAMBase + 32) >> 3},
		{pica.ExtMemfillValue, 0xAABB},
		{pica.ExtMemfillControl, 1}, // 16 bits, start
	} {
		if err := g.WriteRegister(ctx, w[0], uint64(w[1]), 4); err != nil {
			log.Fatal(err)
		}
	}
	b, err := g.Read(pica.VRAMBase+12, 8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("% X\n", b)
	// Output: 44 33 22 11 BB AA BB AA
}

// A command list writes registers of the GPU; Registers returns a copy.
func ExampleGPU_RunList() {
	var list pica.CommandWriter
	list.Write(pica.RegFacecullingConfig, uint32(pica.CullBack))
	list.WriteRun(pica.RegScissortestMode, uint32(pica.ScissorInclude), 0, 239<<16|399)
	list.Finish()

	ctx := context.Background()
	g := pipeline.New(pipeline.Options{})
	defer g.Close()
	const at = pica.FCRAMBase
	if err := g.Load(ctx, at, list.Bytes()); err != nil {
		log.Fatal(err)
	}
	if err := g.RunList(ctx, at, uint32(len(list.Bytes()))); err != nil {
		log.Fatal(err)
	}
	fmt.Println(pica.Decode(pica.RegFacecullingConfig, g.ReadInternal(pica.RegFacecullingConfig)))
	regs := g.Registers()
	fmt.Println(pica.ScissortestX2.Get(&regs), pica.ScissortestY2.Get(&regs))
	// Output:
	// GPUREG_FACECULLING_CONFIG mode=back
	// 399 239
}

// Replay calls a function after each frame of a trace. This trace fills the bottom screen with one colour.
func ExampleReplay() {
	var b citrace.Builder
	for _, red := range []uint32{0x40, 0x80} {
		b.Write(pica.ExtLcdFillBottom, 1<<24|red)
		b.EndFrame()
	}
	data, err := b.Encode()
	if err != nil {
		log.Fatal(err)
	}
	trace, err := picatrace.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	_, err = pipeline.Replay(context.Background(), trace, pipeline.Options{}, func(g *pipeline.GPU, f pipeline.Frame) error {
		img := g.Screen(pipeline.ScreenBottom)
		fmt.Println(f.Index, img.Bounds().Size(), img.RGBAAt(160, 120))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0 (320,240) {64 0 0 255}
	// 1 (320,240) {128 0 0 255}
}

// A Replayer goes to any position of a recording; the GPU then holds the state of a replay from the start.
func ExampleReplayer() {
	data, err := os.ReadFile("../testdata/traces/shadow.ctf")
	if err != nil {
		log.Fatal(err)
	}
	trace, err := picatrace.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	draws, err := r.Draws(ctx, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range draws {
		fmt.Printf("pass %d, draw %d: %s, %d pixels in mode %s\n", d.Pass, d.Draw, d.Primitive, d.Fragments, d.Mode)
	}
	for _, pos := range []pipeline.Position{{Frame: 0, Draw: 1}, {Frame: 0, Draw: 0}, pipeline.Start} {
		if err := r.Seek(ctx, pos); err != nil {
			log.Fatal(err)
		}
		target, err := r.GPU.LastTarget()
		if err != nil {
			fmt.Printf("%v: %v\n", pos, err)
			continue
		}
		fmt.Printf("%v: a target of %dx%d\n", pos, target.Width, target.Height)
	}
	// Output:
	// pass 0, draw 0: geometry, 406 pixels in mode shadow
	// pass 1, draw 1: geometry, 13678 pixels in mode default
	// pass 1, draw 2: geometry, 2850 pixels in mode default
	// frame 0, draw 1: a target of 200x120
	// frame 0, draw 0: a target of 64x64
	// start: nothing was drawn yet, so there is no render target
}
