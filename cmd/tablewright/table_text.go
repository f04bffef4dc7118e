package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/plain"
	"github.com/tablewright/tablewright/wire"
)

// maxCell is how many characters of a value a table shows; --output json shows them all.
const maxCell = 40

// itemTable prints items as a table, of which the columns are attributes in the order in which they first occur.
func itemTable(w io.Writer, items []attr.Item, first ...string) {
	if len(items) == 0 {
		return
	}
	var names []string
	for _, name := range first {
		if slices.ContainsFunc(items, func(it attr.Item) bool { return it.Has(name) }) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, it := range items {
		for name := range it.All() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	head := slices.Clone(names)
	for i, name := range names {
		if !slices.ContainsFunc(items, func(it attr.Item) bool { return it.Has(name) && it.Get(name).Kind() != attr.KindN }) {
			head[i] = ">" + name
		}
	}
	rows := [][]string{head}
	for _, it := range items {
		row := make([]string, len(names))
		for i, name := range names {
			row[i] = cell(it.Get(name))
		}
		rows = append(rows, row)
	}
	columns(w, rows)
}

// cell is a value as a table shows it: texts as they are, with what a terminal would act upon escaped; what is composed as
// JSON; nothing for what is absent.
func cell(v attr.Value) string {
	text := ""
	switch v.Kind() {
	case 0:
		return ""
	case attr.KindS:
		text = v.Str()
		for _, r := range text {
			if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError {
				text = fmt.Sprintf("%q", text)
				break
			}
		}
	default:
		text = string(plain.Append(nil, v))
	}
	if r := []rune(text); len(r) > maxCell {
		text = string(r[:maxCell-1]) + "…"
	}
	return text
}

// missingTable reports whether the service says that a table is not there.
func missingTable(err error) bool {
	var w *wire.Error
	return errors.As(err, &w) && w.Code == wire.CodeResourceNotFound
}
