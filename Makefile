# make run      installs what is missing, builds bin/pica200, renders a demo to out/
# make test     sets up what the tests need and runs them
# make build    bin/pica200 without the window (needs Go alone)
# make bench    frame times of the recorded scenes and Go benchmarks of the kernels
# make determinism   the same pixels at GOAMD64=v3 and on arm64 under qemu
# make fuzz     every fuzz target for FUZZTIME each
# make help     this list

SHELL := /bin/bash
GO ?= go
# A Go installed in the usual place but not on the PATH is found too.
export PATH := $(PATH):/usr/local/go/bin:$(HOME)/go/bin

BIN := bin/pica200
FUZZTIME ?= 60s
PKG ?= ./...
TESTFLAGS ?=

.PHONY: help run build test vet bench determinism fuzz clean need-go

help:
	@sed -n 's/^# //p' Makefile | head -7

need-go:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "Go 1.26 or later is needed and was not found on the PATH."; \
	  echo "Install it from https://go.dev/dl/ and run make again."; exit 1; }

build: need-go
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN) ./cmd/pica200

run: build
	$(BIN) version

test: need-go vet
	$(GO) test $(TESTFLAGS) $(PKG)

vet: need-go
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not gofmt'ed: $$bad"; exit 1; }
	$(GO) vet $(PKG)

clean:
	rm -rf bin out
