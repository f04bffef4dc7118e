package rules

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
)

// String is the finding in a line: "warning: Shop.ByStatus was not read for … (unused-index)".
func (f *Finding) String() string {
	return fmt.Sprintf("%s: %s (%s)", f.Severity, f.Title, f.Rule)
}

// String is Monthly and what it is made of: "$12.00 a month: $15.00 before, $3.00 after, of which the
// remedy takes $1.00".
func (s *Saving) String() string {
	text := fmt.Sprintf("%s: %v before, %v after", monthly(s.Monthly()), s.Before, s.After)
	if s.Remedy > 0 {
		text += fmt.Sprintf(", of which the remedy takes %v", s.Remedy)
	}
	return text
}

// String is the figure with its unit, and what it is compared with: "write units of one key:
// 930 write units/s (to compare: 1,000 write units/s, bp-partition-key-design)".
func (e Evidence) String() string {
	text := e.What + ": " + figureText(e.Value, e.Unit)
	if e.Limit != 0 {
		text += " (to compare: " + figureText(e.Limit, e.Unit)
		if e.Source != "" {
			text += ", " + sourceName(e.Source)
		}
		text += ")"
	}
	return text
}

func figureText(v float64, unit string) string {
	switch unit {
	case "":
		return show.Number(v)
	case "B":
		return show.Bytes(v)
	case "$":
		return capacity.MoneyOf(v * float64(capacity.Dollar)).String()
	}
	if one, per, ok := strings.Cut(unit, "/"); v == 1 && unit != "ms" { // 1 item, 1 read unit/s
		if unit = strings.TrimSuffix(one, "s"); ok {
			unit += "/" + per
		}
	}
	return show.Number(v) + " " + unit
}

// sourceName shortens the address of a page of the developer guide to its name.
func sourceName(s string) string {
	if name, ok := strings.CutPrefix(s, page("")[:len(page(""))-len(".html")]); ok {
		return strings.TrimSuffix(name, ".html")
	}
	return s
}

// textWidth is how long lines are.
const textWidth = 110

// WriteText writes findings for people who read them in a terminal, each with its evidence, remedy and saving.
func WriteText(w io.Writer, found []Finding) error {
	var b strings.Builder
	for i := range found {
		if i > 0 {
			b.WriteByte('\n')
		}
		found[i].text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Finding) text(b *strings.Builder) {
	also := ""
	if len(f.Also) > 0 {
		also = ", " + strings.Join(f.Also, ", ")
	}
	wrap(b, "", "  ", fmt.Sprintf("%s: %s [%s%s]", f.Severity, f.Title, f.Rule, also))
	if f.Key != "" {
		textPart(b, "key", f.Key)
	}
	for i, e := range f.Evidence {
		textPart(b, firstOnly(i, "seen"), e.String())
	}
	textPart(b, "change", f.Remedy.Text+" ("+easeText(f.Remedy.Ease)+")")
	for _, s := range f.Remedy.Snippets {
		for i, line := range strings.Split(strings.TrimRight(s.Text, "\n"), "\n") {
			label := ""
			if i == 0 {
				label = "  " + s.Kind
			}
			fmt.Fprintf(b, "  %-14s %s\n", label, strings.ReplaceAll(line, "\t", "    "))
		}
	}
	if f.Saving != nil {
		textPart(b, "saves", f.Saving.String())
		if f.Saving.Assumes != "" {
			textPart(b, "", f.Saving.Assumes)
		}
	}
	if x := f.Faster; x != nil {
		label := "faster"
		if x.Before > 0 {
			textPart(b, label, fmt.Sprintf("%s instead of %s for one caller", lasting(x.After), lasting(x.Before)))
			label = ""
		}
		if x.RoundTrips > 0 {
			textPart(b, label, strings.Replace(rate(x.RoundTrips), " ", " requests fewer ", 1))
		}
	}
	if len(f.Operations) > 0 {
		textPart(b, "affects", affected(f.Operations)+": "+strings.Replace(rate(f.Calls), " ", " calls ", 1))
	}
	textPart(b, "sure", show.Percent(f.Confidence))
	if f.Because != "" {
		textPart(b, "but", f.Because)
	}
}

// easeText says how much work a remedy is.
func easeText(e Ease) string {
	switch e {
	case Setting:
		return "a setting, nothing to deploy"
	case Code:
		return "a change of code"
	case NewIndex:
		return "an index, built while the program runs"
	case Migration:
		return "a migration of data"
	}
	return "?"
}

// affected lists operations, the first few.
func affected(all []OperationRef) string {
	const most = 5
	var words []string
	for i, o := range all {
		if i == most && len(all) > most+1 {
			words = append(words, fmt.Sprintf("%d more", len(all)-most))
			break
		}
		words = append(words, o.String())
	}
	return show.List(words)
}

// String is "Query on Shop.ByCustomer by ordersOfCustomer".
func (o OperationRef) String() string {
	text := o.Operation
	if o.Table != "" {
		text += " on " + place(o.Table, o.Index)
	}
	if o.Pattern != "" {
		text += " by " + o.Pattern
	}
	return text
}

func firstOnly(i int, label string) string {
	if i > 0 {
		return ""
	}
	return label
}

func textPart(b *strings.Builder, label, text string) {
	wrap(b, fmt.Sprintf("  %-8s ", label), strings.Repeat(" ", 11), text)
}

// wrap writes a text in lines, the first after one prefix and the others after another.
func wrap(b *strings.Builder, first, others, text string) {
	line, n, empty := first, utf8.RuneCountInString(first), true
	for _, word := range strings.Fields(text) {
		w := utf8.RuneCountInString(word)
		if !empty && n+1+w > textWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, n, empty = others, utf8.RuneCountInString(others), true
		}
		if !empty {
			line, n = line+" ", n+1
		}
		line, n, empty = line+word, n+w, false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
