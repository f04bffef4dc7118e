package bulk

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/plain"
	"github.com/tablewright/tablewright/plan"
)

// Format is how items stand in a file.
type Format string

// The formats; the zero Format is DynamoDBJSON.
const (
	DynamoDBJSON Format = "dynamodb-json"
	JSON         Format = "json"
	CSV          Format = "csv" // loaded only
)

// maxLine bounds a line of JSON. An item has at most 400 KB, of which the worst, control characters of one byte, takes six.
const maxLine = 4 << 20

// appendLine writes an item as a line.
func appendLine(dst []byte, f Format, it attr.Item) []byte {
	if f == JSON {
		return append(plain.AppendItem(dst, it), '\n')
	}
	dst = append(dst, `{"Item":`...)
	return append(attr.AppendItem(dst, it), "}\n"...)
}

// source reads items.
type source interface {
	// next is the next item and its line, from 1. bad says what is wrong with the line, err that there are no more: io.EOF,
	// or what keeps the file from being read.
	next() (it attr.Item, line int, bad, err error)
}

// unpacked reads a file that may be packed.
func unpacked(from io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(from, 1<<16)
	if head, _ := b.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("bulk: %w", err)
		}
		return z, nil
	}
	return b, nil
}

func newSource(from io.Reader, o *ImportOptions, types map[string]plan.Type) (source, error) {
	text, err := unpacked(from)
	if err != nil {
		return nil, err
	}
	switch o.Format {
	case DynamoDBJSON, JSON, "":
		return &jsonLines{from: bufio.NewReaderSize(text, 1<<16), plain: o.Format == JSON}, nil
	case CSV:
		return newTable(text, o, types)
	}
	return nil, fmt.Errorf("bulk: there is no format %q: %s, %s or %s", o.Format, DynamoDBJSON, JSON, CSV)
}

// jsonLines reads lines of JSON.
type jsonLines struct {
	from  *bufio.Reader
	plain bool
	line  int
	text  []byte
}

var errLong = fmt.Errorf("it has more than %d bytes", maxLine)

func (j *jsonLines) next() (it attr.Item, line int, bad, err error) {
	for {
		if bad, err = j.read(); err != nil {
			return it, j.line, nil, err
		}
		text := bytes.TrimSpace(j.text)
		if j.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 && bad == nil {
			continue
		}
		if bad == nil {
			it, bad = j.parse(text)
		}
		return it, j.line, bad, nil
	}
}

func (j *jsonLines) parse(text []byte) (attr.Item, error) {
	if text[0] == '[' {
		return attr.Item{}, errors.New("an array: each item is wanted on a line of its own, such as jq -c '.[]' writes them")
	}
	if j.plain {
		return plain.Item(text)
	}
	inner, found := text, false
	d := attr.NewDecoder(text)
	for name := range d.Fields("") {
		if string(name) == "Item" && d.Next() == attr.JSONObject {
			inner, found = d.Raw(), true
		}
	}
	if err := d.End(); err != nil {
		return attr.Item{}, fmt.Errorf("it is no JSON: %w", err)
	}
	it, err := attr.ParseItem(inner)
	if err != nil && found { // an item whose own attribute is called Item
		if whole, second := attr.ParseItem(text); second == nil {
			return whole, nil
		}
	}
	return it, err
}

// read reads a line into j.text; bad says that it is too long, and it was passed over.
func (j *jsonLines) read() (bad, err error) {
	j.text = j.text[:0]
	for {
		part, err := j.from.ReadSlice('\n')
		if bad == nil {
			j.text = append(j.text, part...)
			if len(j.text) > maxLine {
				bad, j.text = errLong, j.text[:0]
			}
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(j.text) > 0 || bad != nil || len(part) > 0):
		case err != nil:
			return nil, err
		}
		j.line++
		return bad, nil
	}
}

// table reads CSV.
type table struct {
	from  *csv.Reader
	names []string
	types []plan.Type
}

func newTable(text io.Reader, o *ImportOptions, types map[string]plan.Type) (*table, error) {
	t := &table{from: csv.NewReader(text), names: o.Header}
	t.from.ReuseRecord = true
	t.from.FieldsPerRecord = -1
	if o.Comma != 0 {
		t.from.Comma = o.Comma
	}
	if len(t.names) == 0 {
		record, err := t.from.Read()
		if err != nil {
			return nil, fmt.Errorf("bulk: the first line of the CSV, which names the attributes: %w", err)
		}
		for _, name := range record {
			t.names = append(t.names, strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))
		}
	}
	seen := map[string]bool{}
	for _, name := range t.names {
		if name == "" || seen[name] {
			return nil, fmt.Errorf("bulk: the columns of the CSV are named %q: each attribute is named once", t.names)
		}
		seen[name] = true
		typ := types[name]
		if o.Types[name] != "" {
			typ = o.Types[name]
		}
		t.types = append(t.types, typ)
	}
	return t, nil
}

func (t *table) next() (it attr.Item, line int, bad, err error) {
	record, err := t.from.Read()
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return it, broken.StartLine, broken.Err, nil
	}
	if err != nil {
		return it, 0, nil, err
	}
	line, _ = t.from.FieldPos(0)
	if len(record) > len(t.names) {
		return it, line, fmt.Errorf("it has %d fields, and there are %d columns", len(record), len(t.names)), nil
	}
	for i, text := range record {
		if text == "" {
			continue
		}
		v, err := field(t.types[i], text)
		if err != nil {
			return it, line, fmt.Errorf("%s: %w", t.names[i], err), nil
		}
		it.Set(t.names[i], v)
	}
	return it, line, nil, nil
}

// field is a field of a CSV as a value of a type.
func field(t plan.Type, text string) (attr.Value, error) {
	switch t {
	case plan.N:
		n, err := attr.ParseNumber(strings.TrimSpace(text))
		if err != nil {
			return attr.Value{}, errors.New("it is no number")
		}
		return attr.Num(n), nil
	case plan.B:
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return attr.Value{}, errors.New("it is no base64")
		}
		return attr.Binary(b), nil
	case "BOOL":
		switch strings.ToLower(text) {
		case "true":
			return attr.Bool(true), nil
		case "false":
			return attr.Bool(false), nil
		}
		return attr.Value{}, errors.New("it is neither true nor false")
	case "JSON":
		return plain.Value([]byte(text))
	}
	return attr.Text(text), nil
}
