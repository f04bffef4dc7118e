package doctor

import (
	"embed"
	"strings"

	"github.com/tablewright/tablewright/stats/rules"
)

//go:embed pages/*.md
var pages embed.FS

// Explain is what a rule of [Rules] is about, when it fires and when it does not, with an example of each, in Markdown: its page.
// "" of a rule that is none of them.
func Explain(r *rules.Rule) string {
	if page := rules.Page(r.ID); page != "" {
		return page
	}
	text, err := pages.ReadFile("pages/" + r.ID + ".md")
	if err != nil {
		return ""
	}
	_, page, _ := strings.Cut(string(text), "-->\n\n") // behind the mark of a generated file
	return page
}
