package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"github.com/tablewright/tablewright/bulk"
)

// rejectsFile has a line of JSON for each line that was not written.
type rejectsFile struct {
	f   *os.File
	w   *bufio.Writer
	err error
}

func openRejects(path string) (*rejectsFile, error) {
	if err := hasFolder(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return &rejectsFile{f: f, w: bufio.NewWriter(f)}, nil
}

func (r *rejectsFile) add(x bulk.Refusal) {
	line, err := json.Marshal(struct {
		Line  int    `json:"line"`
		Error string `json:"error"`
	}{x.Line, x.Err.Error()})
	if err == nil {
		_, err = r.w.Write(append(line, '\n'))
	}
	r.err = errors.Join(r.err, err)
}

func (r *rejectsFile) close() error { return errors.Join(r.err, r.w.Flush(), r.f.Close()) }
