package rules

import "embed"

//go:embed pages/*.md
var pages embed.FS

// Page is what a rule is about, when it fires and when it does not, with an example of each, in Markdown; "" if there is no such
// rule. Pages are generated from the rules and their traces.
func Page(id string) string {
	text, err := pages.ReadFile("pages/" + id + ".md")
	if err != nil || ByID(id) == nil {
		return ""
	}
	return string(text)
}
