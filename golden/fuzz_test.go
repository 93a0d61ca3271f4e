package golden

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// FuzzResults reports arbitrary bytes as results: nothing is written outside the report's folder, and no picture from outside the
// results' folder gets into it.
func FuzzResults(f *testing.F) {
	f.Add([]byte(`{"dir": "suite", "cases": [{"name": "a", "status": "different", "images": [{"target": "color", "status": "different",
		"actualImage": "a-actual.png", "expectedImage": "a-expected.png", "comparison": {"pixels": 3}}]}]}`))
	f.Add([]byte(`{"cases": [{"name": "\u0000<script>", "error": "\u001b[2J]]>", "images": [{"actualImage": "../secret.png"}]}]}`))
	f.Add([]byte(`{"cases": [{"images": [{"actualImage": "a-actual.png/../../secret.png"}]}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "part"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "part", ResultsFile), data, 0o666))
		const secret = "c2VjcmV0IHNlY3JldA=="
		require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.png"), []byte("secret secret"), 0o666))
		out := filepath.Join(dir, "out")
		res, err := Join(out, filepath.Join(dir, "part"))
		if err != nil {
			require.NoDirExists(t, out)
			return
		}
		if err := res.WriteReports(out); err != nil {
			return
		}
		entries := testkit.Must(os.ReadDir(out))(t)
		require.Len(t, entries, 3)
		page := testkit.Read(t, filepath.Join(out, HTMLFile))
		require.NotContains(t, string(page), secret)
		// The second report does not follow paths that lie outside its folder.
		if again, err := ReadResults(out); err != nil {
			require.ErrorContains(t, err, "lies outside")
		} else {
			require.Len(t, again.Cases, len(res.Cases))
		}
		entries = testkit.Must(os.ReadDir(dir))(t)
		require.Len(t, entries, 3)
	})
}
