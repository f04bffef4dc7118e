package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// readJSON reads JSON with its places. It tells repeated keys, which encoding/json does not.
func readJSON(text []byte) (*node, *syntaxError) {
	r := &jsonReader{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	r.decoder.UseNumber()
	root, err := r.value(0)
	if err == nil {
		if _, more := r.decoder.Token(); more == nil {
			err = &syntaxError{r.placeOf(int(r.decoder.InputOffset()) - 1), "something follows the document", ""}
		} else if !errors.Is(more, io.EOF) {
			err = r.failure(more)
		}
	}
	if err != nil {
		return nil, err
	}
	return root, nil
}

type jsonReader struct {
	text    []byte
	decoder *json.Decoder
	count   int

	line, lineStart, seen int // where placeOf last was
}

func (r *jsonReader) failure(err error) *syntaxError {
	at := int(r.decoder.InputOffset())
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = max(at, int(syntax.Offset)-1)
	}
	message := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, message = len(bytes.TrimRight(r.text, " \t\r\n")), "it ends too early"
	}
	return &syntaxError{r.placeOf(at), "this is not JSON: " + message, ""}
}

// placeOf is the place of a byte; offsets come in ascending order, but for errors.
func (r *jsonReader) placeOf(offset int) Range {
	offset = min(max(offset, 0), len(r.text))
	if offset < r.seen {
		r.line, r.lineStart, r.seen = 0, 0, 0
	}
	for i := r.seen; i < offset; i++ {
		if r.text[i] == '\n' {
			r.line, r.lineStart = r.line+1, i+1
		}
	}
	r.seen = offset
	column := 1 + utf8.RuneCount(r.text[r.lineStart:offset])
	return Range{r.line + 1, column, column + 1}
}

func (r *jsonReader) value(depth int) (*node, *syntaxError) {
	start := int(r.decoder.InputOffset())
	for start < len(r.text) && bytes.IndexByte([]byte(" \t\r\n,:"), r.text[start]) >= 0 {
		start++
	}
	t, err := r.decoder.Token()
	if err != nil {
		return nil, r.failure(err)
	}
	n := &node{kind: scalar, place: r.placeOf(start)}
	if r.count++; r.count > maxNodes || depth > maxDepth {
		return nil, &syntaxError{n.place, "the document is too large or too deep", ""}
	}
	switch t := t.(type) {
	case json.Delim:
		n.kind = sequence
		if t == '{' {
			n.kind = mapping
		}
		for r.decoder.More() {
			child, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
			if n.kind == mapping {
				if child, err = r.value(depth + 1); err != nil {
					return nil, err
				}
				n.children = append(n.children, child)
			}
		}
		if _, err := r.decoder.Token(); err != nil {
			return nil, r.failure(err)
		}
		return n, nil
	case string:
		n.text = t
	case nil:
		n.empty = true
	default: // a number or a truth value
		n.text = fmt.Sprint(t)
	}
	n.place.EndColumn = n.place.Column + utf8.RuneCount(r.text[start:r.decoder.InputOffset()])
	return n, nil
}
