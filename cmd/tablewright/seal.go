package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// sealHead begins the last line of a model that build writes. What follows is a digest of the text before, by which the
// next build tells whether somebody has edited the file since: such a file is not overwritten without --force.
const sealHead = "# written by tablewright build; edited, it is not overwritten without --force: sha256 "

// seal adds the line to a model.
func seal(text []byte) []byte {
	return fmt.Appendf(bytes.Clone(text), "%s%x\n", sealHead, digest(text))
}

// digest is that of a text whatever its ends of lines, which editors and Git change.
func digest(text []byte) [sha256.Size]byte {
	return sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// sealed reports whether a text is as build has written it.
func sealed(text []byte) bool {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	at := bytes.LastIndex(text, []byte(sealHead))
	return at >= 0 && bytes.Equal(text, seal(text[:at]))
}

// untouched is an error if there is a model at path that build has not written, or that was edited since.
func untouched(path string) error {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !sealed(text):
		return fmt.Errorf("%s has been edited, or was not written by build: --force overwrites it, --out DIR writes elsewhere", path)
	}
	return nil
}
