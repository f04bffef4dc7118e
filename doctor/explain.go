package doctor

import (
	"strings"

	"github.com/tablewright/tablewright/stats/rules"
)

// Explain is what a rule is about, in Markdown: its page, or, of a rule that has none, what it says of itself.
func Explain(r *rules.Rule) string {
	if page := rules.Page(r.ID); page != "" {
		return page
	}
	var b strings.Builder
	b.WriteString("# " + r.ID + ": " + r.Title + "\n\nCategory: " + string(r.Category) + "\n")
	for _, part := range []struct{ head, text string }{{"Looks", r.Looks}, {"Fires", r.Fires}, {"Does not fire", r.Rests}} {
		if part.text != "" {
			b.WriteString("\n## " + part.head + "\n\n" + part.text + "\n")
		}
	}
	if len(r.Sources) > 0 {
		b.WriteString("\n## Sources\n\n")
		for _, s := range r.Sources {
			b.WriteString("- " + s + "\n")
		}
	}
	return b.String()
}
