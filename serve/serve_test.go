package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/serve/engine"
	"pica200/tests/testkit"
)

const host = "127.0.0.1:8200"

func server(t *testing.T, sources ...engine.Source) *Server {
	t.Helper()
	s := testkit.Must(New(engine.New(engine.Options{}, sources...), &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8200}))(t)
	return s
}

// call sends a request with headers, which may include "Host".
func call(s *Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// Only the served page gets answers: requests need the token, a host name of this machine, and the page's origin.
func TestRequestsNeedTokenHostAndOrigin(t *testing.T) {
	s := server(t, recording(t, "lights"))
	page, api := s.Path(), s.Path()+"api"
	const files = `{"op":"files"}`
	kind := []string{"Content-Type", "application/json"}
	ask := func(method, path, body string, headers ...string) int {
		w := call(s, method, path, body, headers...)
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
		require.NotContains(t, w.Header().Get("Content-Security-Policy"), "unsafe")
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"))
		require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
		if w.Code != http.StatusOK {
			require.NotContains(t, w.Body.String(), "lights", "%s %s", method, path)
			require.NotContains(t, w.Body.String(), s.token)
		}
		return w.Code
	}
	require.Equal(t, 200, ask("GET", page, ""))
	require.Equal(t, 200, ask("POST", api, files, kind...))
	require.Equal(t, 200, ask("POST", api, files, append(kind, "Origin", "http://"+host, "Sec-Fetch-Site", "same-origin")...))
	require.Equal(t, 200, ask("GET", page, "", "Host", "localhost:8200", "Sec-Fetch-Site", "none"))

	for _, path := range []string{"/", "", "/api", "/wrong/", "/wrong/api", "/" + s.token[1:] + "/", "/" + s.token + "x/api", "//" + s.token + "/", "/index.html", "/" + strings.ToLower(s.token) + "/"} {
		if path != "/"+s.token+"/" {
			require.Equal(t, 403, ask("GET", "http://"+host+path, ""), path)
			require.Equal(t, 403, ask("POST", "http://"+host+path, files, kind...), path)
		}
	}
	for _, name := range []string{"evil.example", "evil.example:8200", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8200.evil.example", "127.0.0.2:8200", "", "0.0.0.0:8200"} {
		require.Equal(t, 421, ask("GET", page, "", "Host", name), name)
		require.Equal(t, 421, ask("POST", api, files, append(kind, "Host", name)...), name)
	}
	for _, origin := range []string{"http://evil.example", "null", "https://" + host, "http://127.0.0.1:8201", "http://" + host + ".evil.example"} {
		require.Equal(t, 403, ask("POST", api, files, append(kind, "Origin", origin)...), origin)
	}
	for _, site := range []string{"cross-site", "same-site"} {
		require.Equal(t, 403, ask("GET", page, "", "Sec-Fetch-Site", site))
		require.Equal(t, 403, ask("POST", api, files, append(kind, "Sec-Fetch-Site", site)...))
	}
	require.Equal(t, 405, ask("GET", api, ""))
	require.Equal(t, 405, ask("POST", page, ""))
	require.Equal(t, 415, ask("POST", api, files, "Content-Type", "text/plain"), "a form's content type is refused")
	require.Equal(t, 400, ask("POST", api, strings.Repeat(" ", engine.MaxRequest+1), kind...))
	require.Equal(t, 400, ask("POST", api, `{"op":"frame","file":7}`, kind...))
	for _, path := range []string{"../serve.go", "..%2fserve.go", "%2e%2e/serve.go", "nothing.js"} {
		require.NotEqual(t, 200, ask("GET", page+path, ""), path)
	}
	other := server(t)
	require.NotEqual(t, s.token, other.token)
	require.GreaterOrEqual(t, len(s.token), 24)
}

// The page loads nothing from other hosts, runs no inline scripts, and never converts text to HTML.
func TestPageKeepsContentSecurityPolicy(t *testing.T) {
	s := server(t)
	foreign := regexp.MustCompile(`(?i)https?://|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc| on[a-z]+="|<style|style="`)
	n := 0
	require.NoError(t, fs.WalkDir(servedPage(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		data := testkit.Must(fs.ReadFile(servedPage(), path))(t)
		text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
		require.Empty(t, foreign.FindString(text), path)
		w := call(s, "GET", s.Path()+strings.TrimSuffix(path, "index.html"), "")
		require.Equal(t, 200, w.Code, path)
		require.Equal(t, string(data), w.Body.String())
		return nil
	}))
	require.Greater(t, n, 8)
}

// Browsers leave out port 80, which is http's, and no other.
func TestPortOfBrowsers(t *testing.T) {
	for _, c := range []struct {
		at, name string
		want     int
	}{
		{"127.0.0.1:80", "localhost", 200}, {"127.0.0.1:80", "127.0.0.1", 200}, {"[::1]:80", "[::1]", 200}, {"192.0.2.1:80", "192.0.2.1", 200}, {"192.0.2.1:80", "192.0.2.1:80", 200},
		{"192.0.2.1:80", "gpu.test", 200}, {"192.0.2.1:80", "localhost", 421}, {"127.0.0.1:8080", "localhost", 421}, {"127.0.0.1:80", "evil.test", 421},
	} {
		s := testkit.Must(New(engine.New(engine.Options{}), net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.at)), "GPU.test:80"))(t)
		require.Equal(t, c.want, call(s, "GET", s.Path(), "", "Host", c.name).Code, "%v", c)
	}
}

// The server passes on the engine's answers: JSON, bytes after JSON, errors with their code. A deleted file has its own error.
func TestServerPassesOnAnswers(t *testing.T) {
	hostile := recording(t, "lights")
	hostile.Name = `<img src=x onerror=alert(1)>.ctf`
	s := server(t, hostile, engine.Source{Name: "gone.ctf", Open: func(context.Context) (*picatrace.Trace, [][]string, error) { return nil, nil, fs.ErrNotExist }})
	ask := func(body string) *httptest.ResponseRecorder {
		return call(s, "POST", s.Path()+"api", body, "Content-Type", "application/json")
	}
	w := ask(`{"op":"files"}`)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.NotContains(t, w.Body.String(), "<img", "JSON answers contain no HTML tags")
	require.Contains(t, w.Body.String(), `\u003cimg`)
	w = ask(`{"op":"picture","what":"after","draw":0}`)
	require.Equal(t, "application/octet-stream", w.Header().Get("Content-Type"))
	data := w.Body.Bytes()
	var head engine.Picture
	n := int(data[0]) | int(data[1])<<8
	require.NoError(t, json.Unmarshal(data[4:4+n], &head))
	require.Len(t, data[4+n:], 4*head.Width*head.Height)
	w = ask(`{"op":"open","file":1}`)
	require.Equal(t, 422, w.Code)
	require.JSONEq(t, `{"code":"failed","error":"file does not exist"}`, w.Body.String())
	require.Equal(t, 200, ask(`{"op":"open"}`).Code, "the other file still answers")
}

// Cancelling the context ends the server, even during a request.
func TestServeEndsOnCancel(t *testing.T) {
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	started, gone := make(chan struct{}), make(chan struct{})
	slow := engine.Source{Name: "slow", Open: func(ctx context.Context) (*picatrace.Trace, [][]string, error) {
		close(started)
		<-ctx.Done()
		close(gone)
		return nil, nil, ctx.Err()
	}}
	s := testkit.Must(New(engine.New(engine.Options{}, slow), l.Addr()))(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	go func() {
		r, err := http.Post("http://"+l.Addr().String()+s.Path()+"api", "application/json", bytes.NewBufferString(`{"op":"open"}`))
		if err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			r.Body.Close()
		}
	}()
	<-started
	stop()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(20 * time.Second):
		t.Fatal("the server does not end")
	}
	<-gone
}

// Requests beyond the limit are refused at once; the others are answered, and no body is read beyond its limit.
func TestTooManyRequestsAreRefused(t *testing.T) {
	release := make(chan struct{})
	s := server(t, engine.Source{Name: "slow", Open: func(context.Context) (*picatrace.Trace, [][]string, error) {
		<-release
		return nil, nil, fs.ErrNotExist
	}})
	ask := func(body string) *httptest.ResponseRecorder {
		return call(s, "POST", s.Path()+"api", body, "Content-Type", "application/json")
	}
	var all sync.WaitGroup
	for range maxRequests {
		all.Go(func() { ask(`{"op":"open"}`) })
	}
	require.Eventually(t, func() bool { return len(s.busy) == maxRequests }, 20*time.Second, time.Millisecond)
	for range 1000 {
		w := ask(`{"op":"open"}`)
		require.Equal(t, 422, w.Code)
		require.Contains(t, w.Body.String(), "too many requests at a time")
	}
	close(release)
	all.Wait()
	require.Equal(t, 200, ask(`{"op":"files"}`).Code)

	endless := &counted{}
	r := httptest.NewRequest("POST", s.Path()+"api", endless)
	r.Host = host
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	require.Equal(t, 400, w.Code)
	require.Contains(t, w.Body.String(), "too long")
	require.LessOrEqual(t, endless.n, engine.MaxRequest+64<<10)
}

// counted is an endless body that counts the bytes read.
type counted struct{ n int }

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	c.n += len(p)
	return len(p), nil
}
