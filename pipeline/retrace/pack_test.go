package retrace

import (
	"bytes"
	"io"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// marked prepends loads of marks to a trace: video memory, all pages that it uses, and unused code.
func marked(t *testing.T, tr *picatrace.Trace) *picatrace.Trace {
	t.Helper()
	whole := player(t, tr)
	frames(t, whole)
	var out bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&out, tr.Meta, tr.Initial, picatrace.WriterOptions{}))(t)
	mark := func(addr, n uint32) {
		require.NoError(t, w.Load(addr, bytes.Repeat([]byte("MARK"), int(n/4))))
	}
	require.NoError(t, whole.GPU.EachPage(t.Context(), func(addr uint32, page []byte) { mark(addr, pageSize) }))
	mark(pica.VRAMBase, pica.VRAMSize)
	mark(pica.FCRAMBase+0x07F00000, 64<<10)
	whole.GPU.Close()
	for i := range tr.Frames() {
		require.NoError(t, w.CopyFrame(tr, i))
	}
	require.NoError(t, w.Close())
	return parse(t, out.Bytes())
}

// A packed trace draws the same, draw by draw, including the targets, whatever memory held before; so does one packed without Read.
func TestPackDrawsTheSame(t *testing.T) {
	same := func(name string, data []byte) {
		t.Run(name, func(t *testing.T) {
			tr := states.Parse(t, data)
			tr = marked(t, tr)
			look := func(tr *picatrace.Trace) ([]uint64, []string) { // at the frames, then at the draws
				p := player(t, tr)
				all := frames(t, p)
				require.NoError(t, p.Rewind())
				return all, drawn(t, p, 0)
			}
			want, draws := look(tr)
			for _, read := range []bool{true, false} {
				var out bytes.Buffer
				require.NoError(t, Pack(t.Context(), tr, &out, PackOptions{Read: read}))
				gotFrames, gotDraws := look(parse(t, out.Bytes()))
				require.Equal(t, want, gotFrames, "read alone: %v", read)
				require.Equal(t, draws, gotDraws, "read alone: %v", read)
			}
		})
	}
	for _, file := range traces(t) {
		same(file.Name, file.Read(t))
	}
	for _, seed := range []uint64{2, 5, 7, 11} { // their draws use both buffers without clearing them
		same(strconv.FormatUint(seed, 10), states.Make(seed))
	}
}

// If the GPU draws everything that is shown, packed, cut and stripped files contain no byte that is not read.
func TestFilesContainNoUnreadBytes(t *testing.T) {
	o := Options{Writer: picatrace.WriterOptions{Raw: true}}
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs", "both_screens") {
		tr := states.Parse(t, file.Read(t))
		tr = marked(t, tr)
		marks := func(write func(io.Writer) error) (n int) {
			var out bytes.Buffer
			require.NoError(t, write(&out))
			for _, mark := range []string{"MARK", "ARKM", "RKMA", "KMAR"} {
				n += bytes.Count(out.Bytes(), []byte(mark))
			}
			return n
		}
		pack := func(read bool) int {
			return marks(func(w io.Writer) error { return Pack(t.Context(), tr, w, PackOptions{Options: o, Read: read}) })
		}
		require.NotZero(t, pack(false), file.Name)
		require.Zero(t, pack(true), "%s, packed", file.Name)
		for i := range tr.Frames() {
			require.Zero(t, marks(func(w io.Writer) error { _, err := Strip(t.Context(), tr, i, w, o); return err }), "%s, frame %d stripped", file.Name, i)
			require.Zero(t, marks(func(w io.Writer) error { _, err := Cut(t.Context(), tr, i, i, w, o); return err }), "%s, frame %d cut", file.Name, i)
		}
	}
}
