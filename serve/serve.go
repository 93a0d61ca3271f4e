// Package serve shows recordings in a browser: a page with a debugger, and the engine
// behind it (serve/engine) over HTTP. It answers only requests that carry the token of
// the address that it printed.
//
// The package is our own and may change at any time.
package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"pica200/serve/engine"
)

//go:embed page
var pageFiles embed.FS

// Page is the page: index.html with its modules and its style sheet.
func Page() fs.FS {
	sub, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Server is the page with an engine behind it. Make one with New.
type Server struct {
	// Export, if not nil, makes the page of a frame that somebody wants to send on.
	Export func(ctx context.Context, r *ExportRequest) ([]byte, error)

	engine *engine.Engine
	token  string
	hosts  map[string]bool // values of Host that are ours
	page   fs.FS
	busy   chan struct{}

	exporting chan struct{}
}

// ExportRequest is what a page asks to be exported.
type ExportRequest struct {
	File  int    `json:"file"`
	Frame int    `json:"frame"`
	Note  string `json:"note"` // for the reader
	At    string `json:"at"`   // the address of the page: of the frame as the only one
}

// maxRequests bounds the requests that are answered or wait at a time.
const maxRequests = 128

// New makes a server that answers at an address. Other names for the address,
// such as that of a machine which is reached over a network, are given as hosts
// ("name:port").
func New(e *engine.Engine, addr net.Addr, hosts ...string) (*Server, error) {
	secret := make([]byte, 18)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	s := &Server{engine: e, token: base64.RawURLEncoding.EncodeToString(secret), page: Page(),
		hosts: map[string]bool{strings.ToLower(addr.String()): true}, busy: make(chan struct{}, maxRequests), exporting: make(chan struct{}, 1)}
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return nil, fmt.Errorf("%v is not an address with a port: %w", addr, err)
	}
	if at.Addr().IsLoopback() || at.Addr().IsUnspecified() {
		for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
			s.hosts[fmt.Sprintf("%s:%d", name, at.Port())] = true
		}
	}
	for _, h := range hosts {
		s.hosts[strings.ToLower(h)] = true
	}
	return s, nil
}

// Path is the path of the page, with the token: "/TOKEN/".
func (s *Server) Path() string { return "/" + s.token + "/" }

// policy is the page's Content-Security-Policy: it loads nothing but what this
// server serves, and nothing that is inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// ServeHTTP answers the page and its requests, and nobody else's.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !s.hosts[strings.ToLower(r.Host)] {
		// Another name that leads here: a page that made its own name ours.
		http.Error(w, "this server does not answer to that name", http.StatusMisdirectedRequest)
		return
	}
	if !s.sameOrigin(r) {
		http.Error(w, "requests of other pages are not answered", http.StatusForbidden)
		return
	}
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		http.Error(w, "the address lacks its token: open the one that the program printed", http.StatusForbidden)
		return
	}
	switch rest {
	case "api":
		s.posted(w, r, s.api)
		return
	case "export":
		switch {
		case s.Export == nil:
			http.Error(w, "this server exports nothing", http.StatusNotFound)
		case r.Method == http.MethodGet: // a page that asks whether it can
			w.WriteHeader(http.StatusNoContent)
		default:
			s.posted(w, r, s.export)
		}
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "the page can be read only", http.StatusMethodNotAllowed)
		return
	}
	http.StripPrefix("/"+token, http.FileServerFS(s.page)).ServeHTTP(w, r)
}

// sameOrigin reports whether a request is the page's own, or is none of a page.
func (s *Server) sameOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return false
}

// posted checks a request that is posted, and gives its body on.
func (s *Server) posted(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter, *http.Request, []byte)) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "requests are posted", http.StatusMethodNotAllowed)
		return
	}
	if r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "requests are application/json", http.StatusUnsupportedMediaType)
		return
	}
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
	default:
		fail(w, &engine.Error{Code: engine.CodeFailed, Text: "too many requests at a time"})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, engine.MaxRequest))
	if err != nil {
		fail(w, &engine.Error{Code: engine.CodeRequest, Text: "the request was not sent whole, or is too long"})
		return
	}
	answer(w, r, body)
}

// export answers with a page of one frame.
func (s *Server) export(w http.ResponseWriter, r *http.Request, body []byte) {
	request := &ExportRequest{}
	if err := json.Unmarshal(body, request); err != nil {
		fail(w, &engine.Error{Code: engine.CodeRequest, Text: "the request is no JSON object of the protocol: " + err.Error()})
		return
	}
	request.At = alone(request.At, request.Frame)
	select { // one at a time
	case s.exporting <- struct{}{}:
		defer func() { <-s.exporting }()
	case <-r.Context().Done():
		return
	}
	page, err := s.Export(r.Context(), request)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="bug.html"`)
	_, _ = w.Write(page) // who asked may have gone
}

// alone is an address of a page for a recording that has one of the frames alone.
func alone(at string, frame int) string {
	q, err := url.ParseQuery(at)
	if err != nil {
		return ""
	}
	q.Del("file")
	q.Del("frame")
	edits := map[string]json.RawMessage{}
	if own := strconv.Itoa(frame); json.Unmarshal([]byte(q.Get("edits")), &edits) != nil || edits[own] == nil {
		q.Del("edits")
	} else {
		q.Set("edits", `{"0":`+string(edits[own])+`}`)
	}
	return q.Encode()
}

// api answers a request to the engine.
func (s *Server) api(w http.ResponseWriter, r *http.Request, body []byte) {
	request, err := engine.ParseRequest(body)
	if err != nil {
		fail(w, err)
		return
	}
	answer, err := s.engine.Do(r.Context(), request)
	if err != nil {
		fail(w, err)
		return
	}
	data, binaryToo, err := answer.Encode()
	if err != nil {
		fail(w, err)
		return
	}
	kind := "application/json"
	if binaryToo {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data) // who asked may have gone
}

// statuses of the kinds of errors.
var statuses = map[string]int{
	engine.CodeRequest: http.StatusBadRequest, engine.CodeFailed: http.StatusUnprocessableEntity,
	engine.CodeYielded: http.StatusServiceUnavailable, engine.CodeStopped: http.StatusServiceUnavailable,
}

func fail(w http.ResponseWriter, err error) {
	e := engine.ErrorOf(err)
	data, err := json.Marshal(e)
	if err != nil {
		data = []byte(`{}`) // not with words
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(statuses[e.Code])
	_, _ = w.Write(data)
}

// Serve answers on a listener until ctx ends. Requests that are worked on are
// ended then.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
		BaseContext:    func(net.Listener) context.Context { return work },
		ErrorLog:       log.New(io.Discard, "", 0), // what other programs do wrong is theirs
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := server.Shutdown(late); err != nil {
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
