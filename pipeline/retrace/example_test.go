package retrace_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"

	"pica200/assets/picatrace"
	"pica200/pipeline/retrace"
)

// Pack stores the pictures of the screens, so that Verify can check that frames cut by Cut are unchanged.
func Example() {
	data, err := os.ReadFile("../../testdata/traces/lights.ctf")
	if err != nil {
		log.Fatal(err)
	}
	t, err := picatrace.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	var packed, cut bytes.Buffer
	if err := retrace.Pack(ctx, t, &packed, retrace.PackOptions{Screens: true}); err != nil {
		log.Fatal(err)
	}
	if t, err = picatrace.Parse(packed.Bytes()); err != nil {
		log.Fatal(err)
	}
	report, err := retrace.Cut(ctx, t, 0, 0, &cut, retrace.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if t, err = picatrace.Parse(cut.Bytes()); err != nil {
		log.Fatal(err)
	}
	pictures, err := retrace.Verify(ctx, t, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Frames, "frame,", report.Draws > 0, pictures, "pictures as stored")
	// Output:
	// 1 frame, true 2 pictures as stored
}
