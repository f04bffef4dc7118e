package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/tablewright/tablewright/internal/pipeline"
)

// folderName makes a folder's name of an application's: its letters, digits, dots and underscores, with one dash for
// whatever else stands between. It begins and ends with a letter or digit, so that it neither leads elsewhere nor hides.
func folderName(application string) string {
	words := strings.FieldsFunc(application, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
	})
	name := strings.Trim(strings.Join(words, "-"), "._-")
	if name == "" {
		return "model"
	}
	return name
}

// writeAll writes files into a folder: all are complete on disk under other names before the first takes its place, so that
// whoever reads the folder never finds half a file, and a full disk leaves what was there. Folder and files are for their
// owner only: proofs and documents show what an application stores. Who is interrupted while they take their places waits
// until all of them have.
func writeAll(dir string, files []pipeline.File) (err error) {
	writing.Lock()
	defer writing.Unlock()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var written []string
	defer func() {
		for _, name := range written {
			err = errors.Join(err, halfWritten.remove(name))
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
		if err := halfWritten.rename(written[0], filepath.Join(dir, f.Name)); err != nil {
			return err
		}
		written = written[1:]
	}
	return nil
}

func writeBeside(dir string, f pipeline.File) (string, error) {
	t, err := halfWritten.create(dir, "."+f.Name+"-*")
	if err != nil {
		return "", err
	}
	_, err = t.Write(f.Text)
	err = errors.Join(err, t.Sync(), t.Close())
	if err != nil {
		return "", errors.Join(fmt.Errorf("write %s: %w", f.Name, err), halfWritten.remove(t.Name()))
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
		probe, err := halfWritten.create(at, ".tablewright-*")
		if err != nil {
			return fmt.Errorf("nothing can be written to %s: %w", at, err)
		}
		return errors.Join(probe.Close(), halfWritten.remove(probe.Name()))
	}
}

// hasFolder reports what would keep a file from being written to path. Its folder has to be there: of a path that was
// mistyped nothing is made.
func hasFolder(path string) error {
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no folder %s", path, dir)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder; name a file in it", path)
	}
	return creatable(dir)
}

// writeFile writes one file, complete or not at all.
func writeFile(path string, text []byte) error {
	if err := hasFolder(path); err != nil {
		return err
	}
	dir, name := filepath.Dir(path), filepath.Base(path)
	return writeAll(dir, []pipeline.File{{Name: name, Text: text}})
}
