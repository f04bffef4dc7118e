package generate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

const (
	sampleWidth  = 30  // letters of one value
	othersWidth  = 150 // letters of all values beside the keys
	sampleColumn = "other attributes"
)

// samples shows items as they lay in the proof's tables: key attributes in columns, the others in one.
func (in *Input) samples(p *page, a *plan.Access) {
	if in.Proof == nil || len(in.Proof.Samples[a.Name()]) == 0 {
		return
	}
	keys := slices.Concat(wires(a.Partition), wires(a.Sort))
	head := codes(keys)
	several := len(a.Table.Kinds) > 1
	if several {
		head = append(head, "item")
	}
	head = append(head, sampleColumn)
	var rows [][]string
	for _, s := range in.Proof.Samples[a.Name()] {
		var row []string
		for _, k := range keys {
			row = append(row, code(short(plain(s.Item.Get(k)), 60)))
		}
		if several {
			row = append(row, s.Kind)
		}
		rows = append(rows, append(row, others(s.Item, keys)))
	}
	what := "items"
	if a.Index != "" {
		what = "entries"
	}
	p.text("Sample %s, from the proof's data:", what)
	p.table(head, rows)
}

// others are the attributes beside the keys, shortened.
func others(it attr.Item, keys []string) string {
	var parts []string
	n := 0
	left := 0
	for name, v := range it.All() {
		if slices.Contains(keys, name) {
			continue
		}
		part := name + ": " + short(plain(v), sampleWidth)
		if n += utf8.RuneCountInString(part); n > othersWidth && len(parts) > 0 {
			left++
			continue
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, ", ")
	if left > 0 {
		text += fmt.Sprintf(", and %d more", left)
	}
	return text
}

// plain is a value as people write it.
func plain(v attr.Value) string {
	switch v.Kind() {
	case attr.KindS, attr.KindN:
		return v.Str()
	case attr.KindBOOL:
		return fmt.Sprint(v.Bool())
	case attr.KindB:
		return show.Bytes(float64(len(v.Bytes())))
	case attr.KindM:
		var parts []string
		for name, x := range v.Map().All() {
			parts = append(parts, name+": "+plain(x))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		var parts []string
		for _, x := range v.Elems() {
			parts = append(parts, plain(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "null"
}

// short cuts a text to at most n letters.
func short(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
