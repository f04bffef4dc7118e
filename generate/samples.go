package generate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

const (
	sampleWidth  = 36  // letters of one value: a UUID is whole
	keyWidth     = 60  // letters of a key attribute
	othersWidth  = 150 // letters of all values beside the keys
	sampleColumn = "other attributes"
	fewSamples   = 2 // rows that are shown even if odd values are among them
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
	for _, s := range typical(in.Proof.Samples[a.Name()], keys) {
		var row []string
		for _, k := range keys {
			row = append(row, code(brief(s.Item.Get(k), keyWidth)))
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

// typical leaves out the samples that would show odd values. A proof mixes texts that keys stumble over into its data; a
// reader wants to see what a table looks like. A kind that has no other sample keeps one of these.
func typical(all []Sample, keys []string) []Sample {
	odd := func(s Sample) bool {
		shown := others(s.Item, keys)
		for _, k := range keys {
			shown += " " + brief(s.Item.Get(k), keyWidth)
		}
		return isOdd(shown)
	}
	take := make([]bool, len(all))
	regular := 0
	has := map[string]bool{}
	for i, s := range all {
		if !odd(s) {
			take[i], has[s.Kind] = true, true
			regular++
		}
	}
	for i, s := range all {
		if !take[i] && (!has[s.Kind] || regular < min(fewSamples, len(all))) {
			take[i], has[s.Kind] = true, true
			regular++
		}
	}
	var out []Sample
	for i, s := range all {
		if take[i] {
			out = append(out, s)
		}
	}
	return out
}

// label is the name before a value.
var label = regexp.MustCompile(`\w+: `)

// isOdd reports whether values are made of what keys stumble over: separators that people do not write, letters beyond
// ASCII, digits in the middle of lower case letters.
func isOdd(shown string) bool {
	shown = strings.ReplaceAll(label.ReplaceAllString(shown, ""), "…", " ")
	const rare = `~|%!$`
	for word := range strings.FieldsFuncSeq(shown, func(r rune) bool {
		return r < unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(rare, r)
	}) {
		letters, digits := false, false
		for _, r := range word {
			if r > unicode.MaxASCII || strings.ContainsRune(rare, r) {
				return true
			}
			digits = digits || unicode.IsDigit(r)
			letters = letters || r > 'f' && r <= 'z' // up to f they are hexadecimal digits
		}
		if letters && digits {
			return true
		}
	}
	return false
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
		part := name + ": " + brief(v, sampleWidth)
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

// brief is a value as people write it, in about n letters: texts are cut, of maps and lists the last parts are left out.
func brief(v attr.Value, n int) string {
	list := func(open, end string, parts func(yield func(label string, x attr.Value) bool)) string {
		var out []string
		room := n - 2
		for label, x := range parts {
			if room < len(label)+6 && len(out) > 0 {
				out = append(out, "…")
				break
			}
			part := label + brief(x, max(room-len(label), 6))
			out = append(out, part)
			room -= utf8.RuneCountInString(part) + 2
		}
		return open + strings.Join(out, ", ") + end
	}
	switch v.Kind() {
	case attr.KindS, attr.KindN:
		return short(v.Str(), n)
	case attr.KindBOOL:
		return fmt.Sprint(v.Bool())
	case attr.KindB:
		return show.Bytes(float64(len(v.Bytes())))
	case attr.KindM:
		return list("{", "}", func(yield func(string, attr.Value) bool) {
			for name, x := range v.Map().All() {
				if !yield(name+": ", x) {
					return
				}
			}
		})
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		return list("[", "]", func(yield func(string, attr.Value) bool) {
			for _, x := range v.Elems() {
				if !yield("", x) {
					return
				}
			}
		})
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
