package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"pica200/assets/imagefile"
	"pica200/explain/blame"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/serve/engine"
	"pica200/serve/play"
	"pica200/shaderunit/asm"
)

// maxRemote bounds the answers of another build.
const maxRemote = 256 << 20

// another starts another build of the program for a file, and returns it as a
// source that answers requests itself. stop ends it.
func another(ctx context.Context, con *console, program, path string, args ...string) (s engine.Source, stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, program, append([]string{"serve", path, "--no-open"}, args...)...)
	cmd.WaitDelay = time.Second
	cmd.Stderr = con.err
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return s, nil, fmt.Errorf("--with %s: %w", program, err)
	}
	stop = func() {
		cancel()
		_ = cmd.Wait() // it was ended
	}
	line, err := bufio.NewReader(io.LimitReader(out, 4096)).ReadString('\n')
	url := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
		stop()
		if ctxErr := context.Cause(ctx); ctxErr != nil && !errors.Is(ctxErr, context.Canceled) {
			return s, nil, ctxErr
		}
		return s, nil, fmt.Errorf("--with %s: it prints no address, as \"serve\" of a build of pica200 does", program)
	}
	return engine.Source{Remote: func(ctx context.Context, r *engine.Request) (*engine.Answer, error) {
		return askAnother(ctx, url, r)
	}}, stop, nil
}

// askAnother sends a request to another build, in which the file has number 0.
// The other build rejects requests that it does not know.
func askAnother(ctx context.Context, url string, r *engine.Request) (*engine.Answer, error) {
	its := *r
	its.File = 0
	body, err := json.Marshal(&its)
	if err != nil {
		return nil, err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"api", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the other build does not answer: %w", err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxRemote+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxRemote:
		return nil, fmt.Errorf("the other build answers with more than %d bytes", maxRemote)
	case answer.StatusCode != http.StatusOK:
		said := &engine.Error{Code: engine.CodeFailed, Text: answer.Status}
		if json.Unmarshal(data, said) != nil || said.Text == "" {
			said.Text = answer.Status
		}
		said.Text = "the other build: " + said.Text
		return nil, said
	}
	if answer.Header.Get("Content-Type") != "application/octet-stream" {
		return &engine.Answer{Value: json.RawMessage(data)}, nil
	}
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, errors.New("the other build's answer is cut off")
	}
	n := 4 + int(binary.LittleEndian.Uint32(data))
	return &engine.Answer{Value: json.RawMessage(data[4:n]), Data: data[n:]}, nil
}

// maxSource bounds the size of shader sources that are shown beside their
// instructions.
const maxSource = 4 << 20

// shadersOf returns possible sources of a scene's shaders; for recordings those
// of the library, which they may have used.
func shadersOf(path string, roots []string) [][]asm.Source {
	sc := &scene.Scene{}
	if scene.Is(path, nil) {
		if s, err := scene.Load(path, roots...); err == nil {
			sc = s
		}
	}
	return play.ShadersOf(sc, func(name string) ([]byte, error) { return sc.Read(name, maxSource) })
}

// blameShot is the function engine.Options.Blame.
func blameShot(ctx context.Context, r *pipeline.Replayer, shot []byte, frame int, what string) (any, *image.NRGBA, error) {
	img, err := imagefile.Decode(shot, blame.MaxSide*blame.MaxSide)
	if err != nil {
		return nil, nil, &engine.Error{Code: engine.CodeRequest, Text: fmt.Sprintf("the screenshot: %v", err)}
	}
	report, err := blame.Run(ctx, r, img, blame.Options{Frame: frame, Screen: what, Tolerance: 2})
	if err != nil {
		return nil, nil, err
	}
	return report, report.Difference, nil
}
