package picatrace

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Writes of all widths survive conversion to CiTrace completely.
func TestWriteWidthsSurviveCiTrace(t *testing.T) {
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{}))(t)
	want := []Event{RegisterWrite(0x10400001, 1, 0x91), RegisterWrite(0x10400002, 2, 0x8182), RegisterWrite(0x10400004, 4, 0x71727374), RegisterWrite(0x10400008, 8, 0xF1F2F3F4E1E2E3E4)}
	require.Equal(t, [7]uint32{0x10400008, 8, 0xE1E2E3E4, 0xF1F2F3F4}, want[3].Words)
	for _, e := range want {
		require.NoError(t, w.Add(e))
	}
	require.NoError(t, w.Close())
	tr := testkit.Must(Parse(out.Bytes()))(t)
	b, lost, err := tr.CiTrace()
	require.NoError(t, err)
	require.Empty(t, lost)
	data := testkit.Must(b.Encode())(t)
	again := testkit.Must(Parse(data))(t)
	f := testkit.Must(again.Frame(0))(t)
	last := int64(0)
	for i := range f.Events {
		require.Greater(t, f.Events[i].Offset, last, "each event has its own offset")
		last, f.Events[i].Offset = f.Events[i].Offset, 0
	}
	require.Equal(t, want, f.Events)
}

// A CiTrace does not name the console: loads into the upper half of main memory mean a New 3DS.
func TestCiTraceDetectsNew3DS(t *testing.T) {
	for addr, want := range map[uint32]uint32{
		pica.FCRAMBase + pica.FCRAMSize - 4:   0,
		pica.FCRAMBase + pica.FCRAMSize:       2 * pica.FCRAMSize,
		pica.FCRAMBase + 2*pica.FCRAMSize - 4: 2 * pica.FCRAMSize,
		pica.FCRAMBase + 2*pica.FCRAMSize:     0,
		pica.VRAMBase:                         0,
	} {
		b := citrace.Builder{Layout: citrace.Tagged}
		b.Load(addr, []byte{1, 2, 3, 4})
		b.EndFrame()
		data := testkit.Must(b.Encode())(t)
		tr := testkit.Must(Parse(data))(t)
		require.Equal(t, want, tr.Meta.FCRAM, "0x%08X", addr)
	}
}

// normal is a list of events with loads split at pages, to compare recordings in both formats.
func normal(t *testing.T, tr *Trace) [][]Event {
	var all [][]Event
	for i := range tr.Frames() {
		f := testkit.Must(tr.Frame(i))(t)
		var list []Event
		for _, e := range f.Events {
			if e.Kind != Load {
				list = append(list, e)
				continue
			}
			for addr, data := e.Words[0], e.Data; len(data) > 0; {
				n := min(len(data), PageSize-int(addr%PageSize))
				list = append(list, Event{Kind: Load, Words: [7]uint32{addr}, Data: data[:n]})
				addr, data = addr+uint32(n), data[n:]
			}
		}
		all = append(all, list)
	}
	return all
}

// CiTraces survive conversion to the new format and back.
func TestCiTraceRoundTrip(t *testing.T) {
	for _, file := range testkit.Traces(t) {
		data := file.Read(t)
		old := testkit.Must(Parse(data))(t)
		packed, raw := write(t, old, WriterOptions{}), write(t, old, WriterOptions{Raw: true})
		t.Logf("%s: %d bytes, raw %d, packed %d", file.Name, len(data), len(raw), len(packed))
		want := normal(t, old)
		for _, d := range [][]byte{packed, raw} {
			tr := testkit.Must(Parse(d))(t)
			require.Empty(t, tr.Findings, file.Name)
			require.Equal(t, old.Initial, tr.Initial, file.Name)
			require.True(t, equalFrames(want, normal(t, tr)), file.Name)
			b, lost, err := tr.CiTrace()
			require.NoError(t, err)
			require.Empty(t, lost)
			back := testkit.Must(b.Encode())(t)
			again := testkit.Must(Parse(back))(t)
			require.Equal(t, old.Initial, again.Initial)
			require.True(t, equalFrames(want, normal(t, again)), file.Name)
		}
	}
}

func equalFrames(a, b [][]Event) bool {
	return slices.EqualFunc(a, b, func(x, y []Event) bool {
		return slices.EqualFunc(x, y, func(e, f Event) bool {
			if e.Kind == Load {
				e.Words[1], f.Words[1] = 0, 0
			}
			return e.Kind == f.Kind && e.Words == f.Words && bytes.Equal(e.Data, f.Data)
		})
	})
}

// CiTrace reports what it cannot hold; tables and commands become writes.
func TestCiTraceReportsLosses(t *testing.T) {
	tr := testkit.Must(Parse(sample(t, WriterOptions{})))(t)
	b, lost, err := tr.CiTrace()
	require.NoError(t, err)
	require.Equal(t, []string{"the description (producer, title)", "primitives that go on from before the first frame", "the update of the gas density after a command list", "what the screens showed"}, lost)
	data := testkit.Must(b.Encode())(t)
	c := testkit.Must(citrace.Parse(data))(t)
	count := map[uint32]int{}
	for _, e := range c.Elements {
		if e.Type == citrace.RegisterWrite {
			count[e.Address]++
		}
	}
	internal := func(r pica.Reg) uint32 { return pica.ExtInternal + 4*uint32(r) }
	require.Equal(t, 24*256, count[internal(pica.RegLightingLutData0)])
	require.Equal(t, 24+1, count[internal(pica.RegLightingLutIndex)], "one index write for each table, and one to restore it")
	require.Equal(t, 3*128+2*256, count[internal(pica.RegProctexLutData0)])
	require.Equal(t, 1, count[pica.ExtCommandListStart])
	require.Equal(t, 2, count[pica.ExtTransferStart])
}

// If all writes have four bytes, the CiTrace uses the older layout, which has no others.
func TestCiTraceLayoutByWidths(t *testing.T) {
	for width, want := range map[uint32]citrace.Layout{1: citrace.Tagged, 2: citrace.Tagged, 4: citrace.Direct, 8: citrace.Tagged} {
		var out bytes.Buffer
		w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{}))(t)
		for _, bytes := range []uint32{4, width, 4} {
			require.NoError(t, w.Add(Event{Kind: Write, Words: [7]uint32{0x10400000, bytes, 7}}))
		}
		require.NoError(t, w.Close())
		tr := testkit.Must(Parse(out.Bytes()))(t)
		b, _, err := tr.CiTrace()
		require.NoError(t, err)
		require.Equal(t, want, b.Layout, "%d bytes", width)
	}
}
