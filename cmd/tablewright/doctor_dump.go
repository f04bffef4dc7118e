package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
)

// everything is more read units than a dump has.
const everything = 1e9

// unpackedHead is the beginning of a file as it is unpacked; that of one that is not packed is itself.
func unpackedHead(head []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return head
	}
	begin := make([]byte, 64)
	n, _ := io.ReadFull(z, begin)
	return begin[:n]
}

// loaded has f look at the tables of dumps, in an engine in memory that ends with it.
func (a *app) loaded(ctx context.Context, dumps []string, service *serviceFlags, f func(db *tablewright.DB) error) error {
	e, err := engine.Open("", &engine.Options{SweepEvery: -1, Region: service.region})
	if err != nil {
		return err
	}
	defer e.Close()
	for _, name := range dumps {
		if err := a.loadFile(ctx, e, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return f(tablewright.New(tablewright.InProcess(e), tablewright.Options{Region: service.region}))
}

func (a *app) loadFile(ctx context.Context, e *engine.Engine, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := unpacked(file)
	if err != nil {
		return err
	}
	tell, done := a.progress()
	defer done()
	_, err = e.Load(ctx, &countingReader{Reader: text, each: counted(tell, "read "+name)})
	return err
}
