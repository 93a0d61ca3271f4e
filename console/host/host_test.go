//go:build linux

package host

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/tests/testkit"
)

// wraps returns the linker flags for the C library functions that host.mk replaces.
func wraps(t *testing.T) (flags []string) {
	data := testkit.Read(t, "host.mk")
	_, rest, ok := strings.Cut(strings.ReplaceAll(string(data), "\\\n", " "), "\nWRAPS := ")
	require.True(t, ok)
	list, _, _ := strings.Cut(rest, "\n")
	for _, name := range strings.Fields(list) {
		flags = append(flags, "-Wl,--wrap="+name)
	}
	return flags
}

// programs compiles the host with testdata/program.c, which contains many programs, and returns a function that puts one into its
// own folder. flags are for compiler and linker; without a library among them, testdata/gpu.c is linked.
func programs(t *testing.T, flags ...string) func(t *testing.T, name string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no C compiler")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	sources := append([]string{"testdata/program.c", "testdata/libctru.c"}, testkit.Must(filepath.Glob("src/*.c"))(t)...) // as host.mk, the program's first
	if !slices.Contains(flags, "-lpica200") {
		sources = append(sources, "testdata/gpu.c")
	}
	pie := []string{"-fno-pie", "-no-pie", "-Wl,-Ttext-segment=0x40000000"}
	if slices.Contains(flags, "-m32") {
		pie = []string{"-fpie", "-pie", "-g"}
	}
	link := []string{dir, "testdata/include", gcc, pie[1], pie[2], "-rdynamic", "-o", program}
	for _, s := range sources {
		o := filepath.Join(dir, filepath.Base(s)+".o")
		level := "-O1"
		if s == "testdata/program.c" {
			level = "-g" // line numbers appear in messages
		}
		out, err := exec.Command(gcc, append([]string{"-std=gnu11", level, pie[0], "-Wall", "-Wextra", "-Werror", "-Isrc/include", "-Itestdata/include", "-I../../emulator/capi", "-c", s, "-o", o}, flags...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		link = append(link, o)
	}
	for _, s := range append(sources, "src/host.h", "link.sh", "functions.awk", "functions.txt", "testdata/include/3ds.h") {
		_, err := os.ReadFile(s) // tells go test that the result depends on it
		require.NoError(t, err)
	}
	cmd := exec.Command("./link.sh", append(append(append(link, wraps(t)...), flags...), "-lpthread", "-ldl")...)
	if slices.Contains(flags, "-m32") {
		cmd.Env = append(os.Environ(), "CC=gcc -m32")
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return func(t *testing.T, name string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Link(program, path))
		return path
	}
}

// font is a font file with two sheets, two width lists and the three kinds of character maps, with the value written at an offset.
func font(at int, value uint32) string {
	b := make([]byte, 320)
	for at, values := range map[int][]uint16{
		4:   {0xFEFF, 20},
		12:  {320, 0},
		28:  {7 << 8, 9, 0x0403, 5}, // lines, else, left, ink, width
		36:  {60, 0, 92, 0, 140, 0, 0x0C0D, 0x0B},
		60:  {16<<8 | 10, 11<<8 | 12, 32, 0, 2, 8, 3, 4, 8, 4, 256, 0},
		92:  {0, 1, 116, 0, 0x02FF, 0x0103, 0x0605},
		116: {2, 3, 0, 0, 0x0800, 0x0009, 0x0B0A},
		140: {'A', 'B', 0, 0, 160, 0, 1},
		160: {'a', 'c', 1, 0, 188, 0, 3, 0xFFFF, 2},
		188: {0, 0xFFFE, 2, 0, 0, 0, 2, 0x3B1, 0, 0x3B2, 1},
		258: {0x0102},
	} {
		for i, v := range values {
			binary.LittleEndian.PutUint16(b[at+2*i:], v)
		}
	}
	copy(b, "CFNT")
	binary.LittleEndian.PutUint32(b[at:], value)
	return string(b)
}

// runs runs a program and returns its output, and whether its status was 0.
func runs(t *testing.T, program string, args ...string) (text string, good bool) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = filepath.Dir(program)
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s: %v\n%s", program, err, out)
	}
	return string(out), err == nil
}

func TestPrograms(t *testing.T) {
	place := programs(t)
	var small func(*testing.T, string) string
	if !testkit.Short() && exec.Command("gcc", "-m32", "-shared", "-o", os.DevNull, "-x", "c", os.DevNull).Run() == nil {
		small = programs(t, "-m32")
	}
	for _, c := range []struct {
		try   string
		files map[string]string
		args  []string
		good  bool
		want  string
	}{
		{try: "commands", args: []string{"--frames", "3", "--record", "x.picatrace"}, good: true, want: `record x.picatrace pica200 host commands
changed 20005000 1000
list 20005000 64 1
fill 18000000 18001000 33 101
fill 20010000 20056500 55 201
transfer 18000000 20090000 19000F0 200010 1001000
copy 18000000 200A0000 100 20002 30003 8
fill 18000000 18001000 44 101
waits
P3D
PSC0
PPF
PPF
PSC1
changed 20040000 1000
changed 20042000 1000
list 20005000 32 0
changed 20020000 1000
transfer 20020000 18000000 80008 80008 2
changed 20030000 1000
PPF
DMA
event 6
pending 1
show 0 1 0 20010000 0 20010000 341 2D0
show 1 0 18000000 0 18000000 0 301 2D0
changed 18000000 38400
frame
pending 0
changed 20044000 1000
copy 20044000 18001000 100 20002 30003 8
write 10202204 4 12345678
read 10400468
PPF
changed 18000000 38400
frame
changed 18000000 38400
frame
end
`},
		{
			try: "keys", args: []string{"--frames", "7", "--keys", "k.txt", "--slider", "0.5"}, good: true,
			files: map[string]string{"k.txt": "# the start\n1 A UP\n2 A touch=160,120\n\n4 circle=-100,50 slider=0.25\n5 -\n"},
			want:  "0 0 0 0,0 0,0 0.50\n41 41 0 0,0 0,0 0.50\n100000 100001 40 160,120 0,0 0.50\n0 100001 0 160,120 0,0 0.50\n60000000 60000000 100001 0,0 -100,50 0.25\n0 0 60000000 0,0 0,0 0.25\n0 0 0 0,0 0,0 0.25\n",
		},
		{try: "keys", args: []string{"--keys", "k.txt"}, files: map[string]string{"k.txt": "3 A\n3 B\n"}, want: "keys: k.txt, line 2: \"3\" is not a frame after that of the line before\n"},
		{try: "keys", args: []string{"--keys", "k.txt"}, files: map[string]string{"k.txt": "3 touch=320,0\n"}, want: "keys: k.txt, line 1: \"touch=320,0\" is not a key (A to ZR, START, UP, CUP, touch=X,Y, circle=X,Y, slider=S, text=..., - for none)\n"},
		{try: "keys", args: []string{"--frames", "-1"}, want: "keys: \"-1\" is not a number that this option takes\n"},
		{try: "threads", good: true, want: "a 0 in frame 0\njoined 0\nb 0 in frame 1\na 1 in frame 2\nb 1 in frame 3\nb has its turn\na has its turn\ntimeout 1\ntime 946684800 201\n"},
		{try: "files", args: []string{"--romfs", "data", "--sdmc", "data"}, files: map[string]string{"data/a/b.txt": "text\n"}, good: true, want: "text\n00\n"},
		{try: "files", want: "files: romfs:/a/b.txt: no folder was given for romfs: (--romfs FOLDER), in files (program.c:LINE), in frame 0\n"},
		{try: "fonts", good: true, want: `changed 22000000 2000
lines of 30, else 31, 0 16 16, 16x30, ascent 25
cells 16x30, base 25, widest 16, 1 sheets of 65536, format 8, 15x8 cells, 256x256
widths 0-94, 0 0 8, 0 6 8, 0 0 8
letters 20-7E by 0: 0
ink 30, 2190 to 4241, at 0x32000000
`},
		{try: "fonts", files: map[string]string{"f": font(0, 'C'|'F'<<8|'N'<<16|'T'<<24)}, args: []string{"--font", "f"}, good: true, want: `changed 22000000 1000
lines of 7, else 9, 3 4 5, 12x13, ascent 11
cells 10x16, base 12, widest 11, 2 sheets of 32, format 8, 3x4 cells, 8x4
widths 0-1, -1 2 3, 1 5 6
widths 2-3, 0 8 9, 0 10 11
letters 41-42 by 0: 1
letters 61-63 by 1: 3 65535 2
letters 0-FFFE by 2: 2 945 0 946 1
ink 2, 2 to 3, at 0x32000100
`},
		{try: "fonts", files: map[string]string{"f": font(196, 140)}, args: []string{"--font", "f"}, want: "fonts: fontFixPointers: the font is damaged: letters at 0xBC, in fonts (program.c:LINE), in frame 0\n"},
		{try: "fonts", files: map[string]string{"f": font(96, 92)}, args: []string{"--font", "f"}, want: "fonts: fontFixPointers: the font is damaged: widths at 0x5C, in fonts (program.c:LINE), in frame 0\n"},
		{try: "fonts", files: map[string]string{"f": font(40, 1<<31)}, args: []string{"--font", "f"}, want: "fonts: fontFixPointers: the font is damaged: at 0x28 it names 0x80000000, and it has 320 bytes, in fonts (program.c:LINE), in frame 0\n"},
		{try: "fonts", files: map[string]string{"f": font(68, 0x8FFFF)}, args: []string{"--font", "f"}, want: "fonts: fontFixPointers: the font is damaged: at 0x50 it names 0x100, and it has 320 bytes, in fonts (program.c:LINE), in frame 0\n"},
		{try: "fonts", files: map[string]string{"f": font(12, 321)}, args: []string{"--font", "f"}, want: "fonts: f: not a whole font (.bcfnt), in fonts (program.c:LINE), in frame 0\n"},
		{try: "crash", want: "crash: access to 0x8, where there is no memory, in draw (program.c:LINE), in frame 1\n"},
		{try: "divide", want: "divide: division by zero (the console gives 0), in divide (program.c:LINE), in frame 1\n"},
		{try: "loop", args: []string{"--timeout", "1"}, want: "loop: no frame ended for 1 seconds: endless loop? (--timeout), in loop (program.c:LINE), in frame 0\n"},
		{try: "answers", good: true, want: "D880A7FA 0 0 \n0 5 0 0 0 0 3 \nC880CFFA 9 1 \n0 512 65536 0 \n0 -1 1 \n"},
		{try: "kernel", good: true, want: "0 3 0 1 D8E007F7 \n0 0 a has it, 1\n0 0 D8E0041F \n0 0 b has it, 2\n0 0 D8E0041F \n0 1 0 \n0 1 0 0 D8E007FD 0 0 \n0 1 0 1 0 1 1 D8E007F7 D8E007F7 \n4 7 10 0 -1 1 \n"},
		{try: "applets", good: true, want: "1 3 old\n5 10 new # text\n1 2 no\n5 3 yes\napplets: the error screen says: No\n1 1 0 \n", args: []string{"--keys", "k.txt"}, files: map[string]string{"k.txt": "1 A text=new # text\n2 text=no\n3 text=yes\n"}},
		{try: "archives", good: true, want: "1 14 C8804478 0 \n0 C82044BE C8804478 0 C82044BE \n0 0 3 0 2 0 5 0 D8E007F7 E0E046BE bc\n0 n 1 0 y 10000 4 0 0 C8804478 \n", args: []string{"--sdmc", "card", "--romfs", "data"}, files: map[string]string{"card/y": "four", "data/a/b.txt": "text\n"}},
		{try: "constructor", good: true, want: "changed 18000000 10\n"},
		{try: "paths", good: true, want: "3ds/ m/ x y 3ds/ m/ x y z \n1 -1 z \n0 sdmc:/m 0 0 sdmc:/ 0 0 romfs:/a 0 -1 \n0 0 -1 \n", args: []string{"--romfs", "data"}, files: map[string]string{"data/a/b.txt": "text\n"}},
		{try: "missing", want: "missing: notThereEither is missing here; FOLDER/missing.txt lists all such functions, in missing (program.c:LINE), in frame 0\n"},
		{try: "breaks", want: "breaks: svcBreak (panic) was called, in breaks (program.c:LINE), in frame 0\n"},
		{try: "much", want: "much: malloc of 83886080 bytes: programs have 64 MiB on the console, and 0 bytes are in use, in much (program.c:LINE), in frame 0\n"},
		{try: "leak", want: "leak: malloc of 1048576 bytes: programs have 64 MiB on the console, and MANY bytes are in use, in leak (program.c:LINE), in frame 0\n"},
		{try: "bad_list", want: "list 20000000 13 0\nbad_list: GX_ProcessCommandList: the list is bad, in gx (program.c:LINE), in frame 0\n"},
		{try: "raw", good: true, args: []string{"--frames", "0"}, want: "raw: warning: GX_DisplayTransfer with RAW_COPY copies what the last GX_TextureCopy said, and there was none; a console may hang\ncopy 18000000 20010000 200 0 0 108\ncopy 18000000 20010000 40 10002 10004 8\ncopy 18000000 20010000 40 10002 10004 108\ncopy 18000000 20010000 40 10002 10004 8\n"},
		{try: "elsewhere", want: "elsewhere: GX_DisplayTransfer: the input at 0x08000000 is neither linear memory nor VRAM, in gx (program.c:LINE), in frame 0\n"},
		{try: "early", args: []string{"--frames", "9"}, want: "early: the program ended after 1 of 9 frames, in frame 1\n"},
		{try: "second_event", args: []string{"--frames", "2"}, want: "fill 18000000 18001000 1 201\nfill 18002000 18003000 2 201\nsecond_event: warning: the program has waited two seconds for event PSC1, which no command raised; on a console it hangs\n" +
			"second_event: the program does not end, although aptMainLoop returns false since frame 2, in second_event (program.c:LINE), in frame 604\n"},
		{try: "forever", args: []string{"--frames", "9"}, want: "forever: the program does not end, although aptMainLoop returns false since frame 9, in blank (program.c:LINE), in frame 611\n"},
	} {
		run := func(t *testing.T, place func(*testing.T, string) string) {
			program := place(t, c.try)
			for name, text := range c.files {
				path := filepath.Join(filepath.Dir(program), name)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			out, good := runs(t, program, c.args...)
			out = regexp.MustCompile(`(program\.c):\d+`).ReplaceAllString(out, "$1:LINE")
			out = regexp.MustCompile(`here; .*/`).ReplaceAllString(out, "here; FOLDER/")
			out = regexp.MustCompile(`\d{8} bytes are`).ReplaceAllString(out, "MANY bytes are")
			require.Equal(t, c.want, out)
			require.Equal(t, c.good, good)
		}
		t.Run(c.try, func(t *testing.T) { run(t, place) })
		if small != nil && slices.Contains([]string{"keys", "threads", "fonts", "crash", "divide"}, c.try) {
			t.Run(c.try+" of 32 bits", func(t *testing.T) { run(t, small) })
		}
	}
	t.Run("addresses", func(t *testing.T) {
		if exec.Command("setarch", "-R", "true").Run() != nil {
			t.Skip("this system does not permit the same addresses in each run")
		}
		program := place(t, "addresses")
		a, good := runs(t, program)
		require.True(t, good)
		b, _ := runs(t, program)
		require.Equal(t, a, b)
	})
	// --window opens an invisible window where SDL2 is installed: the program runs as before, no faster than on the console.
	t.Run("window", func(t *testing.T) {
		t.Setenv("SDL_VIDEODRIVER", "dummy")
		begun := time.Now()
		out, good := runs(t, place(t, "keys"), "--window", "--frames", "20")
		if !good {
			require.Contains(t, out, "keys: --window needs SDL2 (libSDL2-2.0.so.0: ")
			return
		}
		require.Equal(t, strings.Repeat("0 0 0 0,0 0,0 0.00\n", 20), out)
		require.Greater(t, time.Since(begun), 19*time.Second/60)
	})
}

// TestPictures draws with the library: screens as PNG, and the recording that a crash leaves.
func TestPictures(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	lib := exec.Command("go", "build", "-buildmode=c-shared", "-o", filepath.Join(dir, "libpica200.so"), "../../emulator/capi")
	lib.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := lib.CombinedOutput()
	require.NoError(t, err, "%s", out)
	place := programs(t, "-L"+dir, "-lpica200", "-Wl,-rpath,"+dir)
	for _, c := range []struct {
		try  string
		good bool
		last string
	}{{"picture", true, ""}, {"picture_crash", false, "where there is no memory, in draw (program.c:"}} {
		program := place(t, c.try)
		text, good := runs(t, program, "--frames", "4", "--every", "2", "--png", "out", "--record", "x.picatrace")
		require.Equal(t, c.good, good, text)
		require.Contains(t, text, c.last)
		folder := filepath.Dir(program)
		f := testkit.Must(os.Open(filepath.Join(folder, "out", "frame2-top.png")))(t)
		img, err := png.Decode(f)
		f.Close()
		require.NoError(t, err)
		require.Equal(t, image.Rect(0, 0, 400, 240), img.Bounds())
		for _, p := range []struct{ x, y, r, g, b int }{{0, 0, 0x10, 0x20, 0x30}, {399, 239, 0x10, 0x20, 0x30}, {1, 239, 1, 2, 3}, {1, 238, 0x10, 0x20, 0x30}} {
			require.Equal(t, color.RGBA{uint8(p.r), uint8(p.g), uint8(p.b), 255}, color.RGBAModel.Convert(img.At(p.x, p.y)), "%d %d", p.x, p.y)
		}
		data := testkit.Read(t, filepath.Join(folder, "x.picatrace"))
		tr := testkit.Must(picatrace.Parse(data))(t)
		require.GreaterOrEqual(t, tr.Frames(), 3)
	}
}

// TestCitro3D builds and draws a program as a user does, with the libraries in the folders CTRULIB and CITRO3D.
func TestCitro3D(t *testing.T) {
	ctrulib, citro3d := os.Getenv("CTRULIB"), os.Getenv("CITRO3D")
	if ctrulib == "" || citro3d == "" {
		t.Skip("CTRULIB and CITRO3D name no folders of libctru and citro3d")
	}
	lib, project := t.TempDir(), t.TempDir()
	do := func(folder, name string, args ...string) {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = folder
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	here := testkit.Must(os.Getwd())(t)
	do(here, "go", "build", "-buildmode=c-shared", "-o", filepath.Join(lib, "libpica200.so"), "../../emulator/capi")
	do(here, "go", "build", "-o", filepath.Join(lib, "pica200"), "../../cmd/pica200")
	do(here, "cp", "../../emulator/capi/pica200.h", lib)
	require.NoError(t, os.CopyFS(project, os.DirFS("testdata/citro3d")))
	do(project, "make", "-j2", "-f", filepath.Join(here, "host.mk"), "CTRULIB="+ctrulib, "CITRO3D="+citro3d, "CITRO2D=", "LIBPICA200="+lib, "PICA200="+filepath.Join(lib, "pica200"))
	do(project, "build-host/citro3d", "--frames", "8", "--every", "1", "--png", "out")
	moved := 0
	for n := range 8 {
		data := testkit.Read(t, filepath.Join(project, "out", fmt.Sprintf("frame%d-top.png", n)))
		img := testkit.Must(png.Decode(bytes.NewReader(data)))(t)
		at := func(x, y int) color.Color { return color.RGBAModel.Convert(img.At(x, y)) }
		square, ground := color.RGBA{255, 128, 0, 255}, color.RGBA{0x10, 0x20, 0x30, 255}
		if at(30, 200) != square {
			continue // nothing is shown before the first draw
		}
		left := 0
		for at(left, 200) != square {
			require.Equal(t, ground, at(left, 200))
			left++
		}
		require.Equal(t, 10+moved, left, "frame %d", n)
		moved++
		for _, p := range []struct {
			x, y int
			want color.RGBA
		}{{left + 29, 219, square}, {left + 30, 219, ground}, {left, 220, ground}, {left, 180, square}, {left, 179, ground}} {
			require.Equal(t, p.want, at(p.x, p.y), "frame %d, %d %d", n, p.x, p.y)
		}
	}
	require.Greater(t, moved, 3)
}

// Headers whose names sources write in letters of another case, or with "\", are found; others are left alone.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"src/main.c":        "#include <3DS.h>\n # include \"World/Ray.H\"\n#include \"gfx\\tiles.h\"\n#include \"own.h\"\n#include \"../Up.h\"\n#include \"none.h\"\n",
		"src/world/ray.h":   "",
		"src/gfx/tiles.h":   "#include \"OWN.h\"\n",
		"src/gfx/own.h":     "",
		"src/up.h":          "",
		"lib/include/3ds.h": "",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	for range 2 { // the second time keeps what the first made
		out, err := exec.Command("./names.sh", filepath.Join(dir, "to"), filepath.Join(dir, "src"), filepath.Join(dir, "lib/include/3ds.h")).CombinedOutput()
		require.NoError(t, err)
		require.Empty(t, string(out))
	}
	made := map[string]string{}
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "to"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			made[strings.TrimPrefix(path, dir+"/to/")] = strings.ReplaceAll(string(testkit.Read(t, path)), dir+"/", "")
		}
		return err
	}))
	require.Equal(t, map[string]string{
		"3DS.h": "#include \"lib/include/3ds.h\"\n", "World/Ray.H": "#include \"src/world/ray.h\"\n",
		`gfx\tiles.h`: "#include \"src/gfx/tiles.h\"\n", "OWN.h": "#include \"src/gfx/own.h\"\n",
	}, made)
}
