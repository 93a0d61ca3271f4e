//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// File names are bytes: files are read and written under the given name, and printed as one line of text.
func TestFileNamesAreBytes(t *testing.T) {
	trace := testkit.Own(t)[0].Read(t)
	for _, name := range []struct{ is, printed string }{
		{"latin\xe9 \xff\xfe", `latin\xe9 \xff\xfe`},
		{"two\nlines", `two\nlines`},
		{"escape\x1b[2J\u202e", `escape\u001b[2J\u202e`},
		{"--dashes\xe9", `--dashes\xe9`},
	} {
		t.Run(name.printed, func(t *testing.T) {
			dir := t.TempDir()
			in := filepath.Join(dir, name.is)
			require.NoError(t, os.WriteFile(in, trace, 0o666))
			t.Chdir(dir)
			want := []string{name.is}
			for i, form := range [][]string{{"--out", "%"}, {"--out=%"}, {"-o", "%"}, {"-o%"}} {
				out := "out" + string(rune('0'+i)) + name.is + ".picatrace"
				want = append(want, out)
				args := []string{"trace", "convert", "-q"}
				for _, a := range form {
					args = append(args, strings.ReplaceAll(a, "%", out))
				}
				stdout, stderr := ends(t, exitDone, append(args, "--", name.is)...)
				require.Empty(t, stderr)
				require.NotContains(t, strings.TrimSuffix(stdout, "\n"), "\n")
			}
			var is []string
			entries := testkit.Must(os.ReadDir(dir))(t)
			for _, e := range entries {
				is = append(is, e.Name())
			}
			require.ElementsMatch(t, want, is)

			for _, args := range [][]string{
				{"trace", "info", "--", "no " + name.is}, {"render", "-o", "x.png", "--", "no " + name.is}, {"no " + name.is},
				{"render", in, "-o", in},
			} {
				_, _, stderr := invoke(t, args...)
				require.Contains(t, stderr, name.printed, args)
				for _, line := range strings.Split(strings.TrimSuffix(stderr, "\n"), "\n") {
					require.Regexp(t, "^(pica200: |Run \"pica200 )", line, args)
				}
			}
			var errs strings.Builder
			require.NotZero(t, picassoTool.call(newConsole(&errs, &errs), []string{"-o", "x", "no " + name.is}))
			require.Contains(t, errs.String(), name.printed)
		})
	}
}
