package rules

import (
	"embed"
	"strings"
)

//go:embed pages/*.md
var pages embed.FS

// Page is what a rule is about, when it fires and when it does not, with an example of each, in Markdown; "" if there is no such
// rule. Pages are generated from the rules and their traces.
func Page(id string) string {
	text, err := pages.ReadFile("pages/" + id + ".md")
	if err != nil || ByID(id) == nil {
		return ""
	}
	_, page, _ := strings.Cut(string(text), "-->\n\n") // the mark of a generated file is for those who would edit it
	return page
}
