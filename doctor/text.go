package doctor

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/internal/show"
)

// WriteText writes the comparison as tables: a line for each access pattern, each figure as promised → measured, marked by ▲
// where it is above its range and by ▼ where it is below; then tables and indexes, items, and what no model knows.
func (c *Comparison) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s watched, %s to %s\n", c.Application, show.Lasting(c.Watched), c.From.UTC().Format("2006-01-02 15:04"), c.To.UTC().Format("2006-01-02 15:04"))
	b.WriteString("promised → measured; ▲ above, ▼ below its range, … too few calls or too short to tell\n\n")
	rows := [][]string{{"access pattern", "calls/s", "at peak", "items", "bytes", "read units", "write units", "$ a month"}}
	for _, p := range c.Patterns {
		name := p.Name
		switch {
		case p.Idle:
			name += " (never ran)"
		case p.Estimated != "":
			name += " *"
		}
		rows = append(rows, []string{name, cell(p.Average, three(show.Number)), cell(p.Peak, three(show.Number)), cell(p.Items, three(show.Number)), cell(p.Bytes, show.Bytes),
			cell(p.Read, three(show.Units)), cell(p.Write, three(show.Units)), cell(p.Month, dollars)})
	}
	rows = append(rows, []string{"together", "", "", "", "", "", "", cell(c.Month, dollars)})
	columns(&b, rows)
	notes := map[string]bool{}
	for _, p := range c.Patterns {
		if p.Estimated != "" && !notes[p.Estimated] {
			notes[p.Estimated] = true
			fmt.Fprintf(&b, "* %s\n", p.Estimated)
		}
	}
	b.WriteString("\n")
	rows = [][]string{{"table or index", "read units/s", "write units/s", "hottest key, of a partition"}}
	for _, p := range c.Places {
		name := p.Name
		if strings.Contains(name, ".") {
			name = "  " + name
		}
		rows = append(rows, []string{name, cell(p.Read, three(show.Units)), cell(p.Write, three(show.Units)), cell(p.Hottest, three(show.Percent))})
	}
	columns(&b, rows)
	b.WriteString("\n")
	rows = [][]string{{"item", "table", "bytes", "largest"}}
	for _, it := range c.Items {
		rows = append(rows, []string{it.Name, it.Table, cell(it.Bytes, show.Bytes), cell(it.Most, show.Bytes)})
	}
	columns(&b, rows)
	if len(c.Unknown) > 0 {
		b.WriteString("\n")
		rows = [][]string{{"in no model", "operation", "table or index", "requests", "a second", "$ a month"}}
		for _, u := range c.Unknown {
			name := u.Pattern
			if name == "" {
				name = "(no name)"
				if len(u.Like) > 0 {
					name = "(no name: " + strings.Join(u.Like, " or ") + "?)"
				}
			}
			rows = append(rows, []string{name, u.Operation, placeName(u.Table, u.Index), show.Number(u.Calls), show.Number(digits(u.PerSecond, 3)), dollars(u.Month)})
		}
		columns(&b, rows)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// dollars are told to the cent, as bills do; other figures to three digits.
func dollars(d float64) string {
	if d < 0.01 {
		return fmt.Sprintf("%.2f", d)
	}
	return show.Units(d)
}

func three(number func(float64) string) func(float64) string {
	return func(f float64) string { return number(digits(f, 3)) }
}

// cell is a figure as promised → measured.
func cell(f Figure, number func(float64) string) string {
	switch f.Is {
	case Unmeasured:
		if f.Promised == 0 {
			return "–"
		}
		return number(f.Promised) + " → ?"
	case Unpromised:
		return "? → " + number(f.Measured)
	}
	if f.Promised == 0 && f.Measured == 0 {
		return "–"
	}
	text := number(f.Promised) + " → " + number(f.Measured)
	switch f.Is {
	case Above:
		text += " ▲"
	case Below:
		text += " ▼"
	case Early:
		text += " …"
	}
	return text
}

// columns aligns cells, two spaces between.
func columns(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			line.WriteString(text + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
