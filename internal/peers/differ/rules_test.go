package differ_test

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A rule explains differences: testdata/differences.txt says how it is written.
type rule struct {
	line       int
	operations []string       // nil: all
	in         *regexp.Regexp // of the request's JSON; nil: any
	at         *regexp.Regexp
	ours       *regexp.Regexp // its groups may stand in theirs
	groups     []string
	theirs     string
	why        string
	used       int
}

// relations of numbers that may stand in place of a text.
var relations = map[string]func(ours, theirs float64) bool{
	"[the same number]": func(a, b float64) bool { return a == b },
	"[more]":            func(a, b float64) bool { return b > a },
	"[less]":            func(a, b float64) bool { return b < a },
	"[twice]":           func(a, b float64) bool { return b == 2*a },
}

// hole is a part of a pattern that matches anything; with a name, the same in both texts.
var hole = regexp.MustCompile(`«([a-z]*)»`)

func readRules(file string) ([]*rule, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rules []*rule
	var r *rule
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == "" || word[0] == '#':
		case line[0] != ' ':
			r = &rule{line: n, operations: strings.Fields(line)}
			if line == "*" {
				r.operations = nil
			}
			rules = append(rules, r)
		case r == nil:
			return nil, fmt.Errorf("%s:%d: no operation above", file, n)
		case word == "in":
			r.in, _ = pattern(rest)
		case word == "at":
			r.at, _ = pattern(rest)
		case word == "ours":
			r.ours, r.groups = pattern(rest)
		case word == "theirs":
			r.theirs = rest
		case word == "why":
			r.why = rest
		default:
			return nil, fmt.Errorf("%s:%d: %q is none of in, at, ours, theirs, why", file, n, word)
		}
	}
	for _, r := range rules {
		if r.at == nil || r.ours == nil || r.theirs == "" || r.why == "" {
			return nil, fmt.Errorf("%s:%d: a rule needs at, ours, theirs and why", file, r.line)
		}
	}
	return rules, lines.Err()
}

// pattern compiles a text with holes.
func pattern(text string) (*regexp.Regexp, []string) {
	var b strings.Builder
	var groups []string
	last := 0
	for _, m := range hole.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(regexp.QuoteMeta(text[last:m[0]]))
		groups = append(groups, text[m[2]:m[3]])
		b.WriteString("(.*?)")
		last = m[1]
	}
	b.WriteString(regexp.QuoteMeta(text[last:]))
	return regexp.MustCompile("(?s)^" + b.String() + "$"), groups
}

// explains reports whether the rule is about a difference.
func (r *rule) explains(to request, d difference) bool {
	if r.in != nil && !r.in.MatchString(text(to.in)) {
		return false
	}
	if r.operations != nil && !slices.Contains(r.operations, d.operation) || !r.at.MatchString(d.at) {
		return false
	}
	found := r.ours.FindStringSubmatch(d.ours)
	if found == nil {
		return false
	}
	if holds := relations[r.theirs]; holds != nil {
		var texts [2]string
		for i, t := range []string{d.ours, d.theirs} {
			texts[i] = strings.Trim(t, `"`)
		}
		a, err1 := strconv.ParseFloat(texts[0], 64)
		b, err2 := strconv.ParseFloat(texts[1], 64)
		return err1 == nil && err2 == nil && holds(a, b)
	}
	theirs := r.theirs
	for i, name := range r.groups {
		if name != "" {
			theirs = strings.ReplaceAll(theirs, "«"+name+"»", found[i+1])
		}
	}
	if theirs == d.theirs { // what was filled in may look like a hole
		return true
	}
	re, _ := pattern(theirs)
	return re.MatchString(d.theirs)
}
