package generate

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Input is what documents are made of.
type Input struct {
	Requirements *spec.Requirements
	Program      *plan.Program
	Price        *cost.Report
	Proof        *Proof // nil: the model has not been proven, and documents say so
}

func (in *Input) decisions() []plan.Decision { return in.Program.Model.Decisions }

// page is a Markdown document that is being written.
type page struct{ b bytes.Buffer }

func (p *page) heading(level int, format string, args ...any) {
	p.gap()
	fmt.Fprintf(&p.b, "%s %s\n", strings.Repeat("#", level), fmt.Sprintf(format, args...))
}

// gap leaves one empty line, unless the document begins or there is one.
func (p *page) gap() {
	if p.b.Len() > 0 && !bytes.HasSuffix(p.b.Bytes(), []byte("\n\n")) {
		p.b.WriteByte('\n')
	}
}

// text writes a paragraph.
func (p *page) text(format string, args ...any) {
	p.gap()
	fmt.Fprintf(&p.b, format+"\n", args...)
}

// list writes points; nothing if there are none.
func (p *page) list(points ...string) {
	if len(points) == 0 {
		return
	}
	p.gap()
	for _, x := range points {
		fmt.Fprintf(&p.b, "- %s\n", x)
	}
}

// table writes rows under a head; a column whose head begins with > stands to the right. Nothing is written without rows,
// and a column that is empty in all of them is left out.
func (p *page) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	p.gap()
	var keep []int
	for i := range head {
		for _, r := range rows {
			if r[i] != "" {
				keep = append(keep, i)
				break
			}
		}
	}
	line := func(cell func(i int) string) {
		p.b.WriteByte('|')
		for _, i := range keep {
			p.b.WriteString(" " + cell(i) + " |")
		}
		p.b.WriteByte('\n')
	}
	line(func(i int) string { return strings.TrimPrefix(head[i], ">") })
	p.b.WriteByte('|')
	for _, i := range keep {
		if strings.HasPrefix(head[i], ">") {
			p.b.WriteString("---:|")
		} else {
			p.b.WriteString("---|")
		}
	}
	p.b.WriteByte('\n')
	for _, r := range rows {
		line(func(i int) string { return cell(r[i]) })
	}
}

// cell keeps a text inside its cell.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", "\\|"), "\n", " ")
}

// code is a name or expression as code.
func code(s string) string {
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

func codes(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = code(n)
	}
	return out
}

// named writes the names of access patterns in a text of the designer as code.
func (in *Input) named(text string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if in.Requirements.Pattern(w) != nil {
			return code(w)
		}
		return w
	})
}

var word = regexp.MustCompile(`\w+`)

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if !strings.ContainsRune(".!?", rune(s[len(s)-1])) {
		s += "."
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
