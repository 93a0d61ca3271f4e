package module

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func TestPath(t *testing.T) {
	mod := testkit.Read(t, "../../go.mod")
	first, _, _ := strings.Cut(string(mod), "\n")
	require.Equal(t, "module "+Path(), first)
}

func TestInfo(t *testing.T) {
	const path, revision = "example.org/x/pica200", "0123456789abcdef0123456789abcdef01234567"
	vcs := []debug.BuildSetting{
		{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision},
		{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"},
	}
	own := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: path, Version: "v0.1.0"}, Settings: vcs}
	got := info(own, path)
	require.Equal(t, Info{"v0.1.0", revision, "2026-01-02T03:04:05Z", true, "go1.26.8"}, got)
	require.Equal(t, "0123456789ab", got.Short())

	own.Main.Version, own.Settings = "", nil // a test binary
	got = info(own, path)
	require.Equal(t, Info{Version: "(devel)", Go: "go1.26.8"}, got)
	require.Equal(t, "(devel)", got.Short())

	// In another program the revision is that of its repository, so Info has none.
	theirs := &debug.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "example.org/game", Version: "v9.9.9"}, Settings: vcs,
		Deps: []*debug.Module{{Path: "example.org/other", Version: "v7.0.0"}, {Path: path, Version: "v0.2.0"}},
	}
	require.Equal(t, Info{Version: "v0.2.0", Go: "go1.26.8"}, info(theirs, path))
	theirs.Deps[1].Replace = &debug.Module{Path: "../pica200"}
	require.Equal(t, Info{Version: "(devel)", Go: "go1.26.8"}, info(theirs, path))
	theirs.Deps[1].Replace = &debug.Module{Path: "example.org/fork", Version: "v0.2.1"}
	require.Equal(t, Info{Version: "v0.2.1", Go: "go1.26.8"}, info(theirs, path))
}
