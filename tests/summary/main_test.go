package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func summarize(t *testing.T, events ...string) (string, *summary) {
	t.Helper()
	var out strings.Builder
	s := &summary{out: &out, output: map[key][]string{}, skipped: map[string]int{}}
	require.NoError(t, s.read(strings.NewReader(strings.Join(events, "\n"))))
	return out.String(), s
}

// said is an event of a test of package a; output is what it prints.
func said(action, test, output string) string {
	return fmt.Sprintf(`{"Action":%q,"Package":"a","Test":%q,"Output":%q}`, action, test, output)
}

func TestSkippedTestsAreCountedByReason(t *testing.T) {
	out, s := summarize(t,
		said("output", "TestA", "=== RUN   TestA\n"), said("output", "TestA", "noise\n"), said("pass", "TestA", ""),
		said("output", "TestB", "    b_test.go:3: before\n"), said("output", "TestB", "    b_test.go:4: no files here\n"), said("output", "TestB", "--- SKIP: TestB (0.00s)\n"), said("skip", "TestB", ""),
		said("output", "TestC/sub", "        c_test.go:4: no files here\n"), said("skip", "TestC/sub", ""), said("pass", "TestC", ""),
		said("skip", "TestD", ""),
		said("output", "", "PASS\n"), said("output", "", "ok  \ta\t0.1s\n"), said("pass", "", ""),
		`{"Action":"output","Package":"b","Output":"?   \tb\t[no test files]\n"}`, `{"Action":"skip","Package":"b"}`)
	require.Equal(t, "ok  \ta\t0.1s\n?   \tb\t[no test files]\n", out)
	require.Equal(t, "3 tests skipped (2: no files here; 1: no reason given)\n", s.line())
	require.False(t, s.failed)
}

func TestFailuresAreShown(t *testing.T) {
	out, s := summarize(t,
		said("output", "TestA", "    a_test.go:3: wrong\n"), said("fail", "TestA", ""),
		said("output", "", "FAIL\ta\n"), said("fail", "", ""))
	require.Equal(t, "    a_test.go:3: wrong\nFAIL\ta\n", out)
	require.True(t, s.failed)
	require.Empty(t, s.line())

	out, s = summarize(t,
		said("output", "TestA", "panic: test timed out\n"), said("output", "", "FAIL\ta\n"), said("fail", "", ""))
	require.Equal(t, "FAIL\ta\na: TestA did not end\npanic: test timed out\n", out)
	require.True(t, s.failed)

	out, s = summarize(t, `{"ImportPath":"c.test","Action":"build-output","Output":"expected ')'\n"}`, `{"ImportPath":"c.test","Action":"build-fail"}`, "go: no such tool")
	require.Equal(t, "expected ')'\ngo: no such tool", out)
	require.True(t, s.failed)
}
