package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tablewright/tablewright/internal/pipeline"
)

// folderName makes a folder's name of an application's: what could lead elsewhere is replaced.
func folderName(application string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, application)
	if strings.Trim(name, ".") == "" {
		return "model"
	}
	return name
}

// writeAll writes files into a folder: all are complete on disk under other names before the first takes its place, so that
// whoever reads the folder never finds half a file, and a full disk leaves what was there. Folder and files are for their
// owner only: proofs and documents show what an application stores.
func writeAll(dir string, files []pipeline.File) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var written []string
	defer func() {
		for _, name := range written {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	for _, f := range files {
		name, err := writeBeside(dir, f)
		if err != nil {
			return err
		}
		written = append(written, name)
	}
	for _, f := range files {
		if err := os.Rename(written[0], filepath.Join(dir, f.Name)); err != nil {
			return err
		}
		written = written[1:]
	}
	return nil
}

func writeBeside(dir string, f pipeline.File) (string, error) {
	t, err := os.CreateTemp(dir, "."+f.Name+"-*")
	if err != nil {
		return "", err
	}
	_, err = t.Write(f.Text)
	err = errors.Join(err, t.Sync(), t.Close())
	if err != nil {
		return "", errors.Join(fmt.Errorf("write %s: %w", f.Name, err), os.Remove(t.Name()))
	}
	return t.Name(), nil
}

// creatable reports what would keep files from being written to a folder that need not exist yet. It is asked before the
// work is done, not after.
func creatable(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", at)
		}
		probe, err := os.CreateTemp(at, ".tablewright-*")
		if err != nil {
			return fmt.Errorf("nothing can be written to %s: %w", at, err)
		}
		return errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
}

// writeFile writes one file, complete or not at all.
func writeFile(path string, text []byte) error {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	return writeAll(dir, []pipeline.File{{Name: name, Text: text}})
}
