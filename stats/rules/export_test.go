package rules

import (
	"go/parser"
	"go/token"
	"strings"
)

// Check says what a finding lacks that every one has to have; "" if it is whole.
func (f *Finding) Check() string {
	switch {
	case f.Rule == "" || f.Severity == 0 || f.Category == "" || f.Cause == "":
		return "no rule, severity, category or cause"
	case f.Title == "":
		return "no title"
	case len(f.Evidence) == 0:
		return "no evidence"
	case f.Remedy.Text == "" || f.Remedy.Ease == 0:
		return "no remedy, or none that says how much work it is"
	case f.Confidence <= 0 || f.Confidence > 1 || f.Confidence < 1 && f.Because == "":
		return "no confidence, or no reason why there is not more"
	}
	for _, one := range f.Remedy.Snippets {
		if one.Kind == "go" && !isGo(one.Text) {
			return "a snippet that is no Go: " + one.Text
		}
	}
	return ""
}

// isGo reports whether a snippet is declarations, statements, members of a literal or a field, with … for what the reader has; or
// several of these, each under a comment that says where it goes.
func isGo(text string) bool {
	text = strings.ReplaceAll(text, "…", "etc")
	if parses(text) {
		return true
	}
	parts := strings.Split("\n"+text, "\n//")
	for _, part := range parts {
		if !parses("//" + part) {
			return false
		}
	}
	return len(parts) > 2
}

func parses(text string) bool {
	for _, around := range [][2]string{{"", ""}, {"func _() {\n", "\n}"}, {"var _ = T{\n", "\n}"}, {"type T struct {\n", "\n}"}, {"var _ = ", ""}} {
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+around[0]+text+around[1], 0); err == nil {
			return true
		}
	}
	return false
}

// Run runs some rules, as Recommend runs all.
func Run(in Input, some ...*Rule) []Finding { return run(in, some) }

// Replacing is a finding whose remedy does away with what others of a cause are about.
func Replacing(f Finding, cause string) Finding {
	f.replaces = cause
	return f
}

// Instead has all rules be others, until the answer is called.
func Instead(others ...*Rule) (restore func()) {
	before := rules
	rules = others
	return func() { rules = before }
}
