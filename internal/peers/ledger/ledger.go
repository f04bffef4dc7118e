package ledger

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Ledger is a list of known differences. It is safe for concurrent use, the counts of its rules when that is over.
type Ledger struct {
	Rules []*Rule
	mu    sync.Mutex // guards the counts
}

// Rule is an entry: it explains differences, and says why.
type Rule struct {
	Line int    // where it stands in its file
	Why  string // the page or measurement that decides
	Used int    // how many differences it has explained
	// Seldom is whether it need not explain anything in a usual run.
	Seldom bool

	operations []string       // nil: all
	in         *regexp.Regexp // of the request's JSON; nil: any
	at         *regexp.Regexp
	ours       *regexp.Regexp // its groups may stand in theirs
	groups     []string
	theirs     []string // any of these
}

// relations of numbers that may stand in place of a text.
var relations = map[string]func(ours, theirs float64) bool{
	"[the same number]": func(a, b float64) bool { return a == b },
	"[more]":            func(a, b float64) bool { return b > a },
	"[less]":            func(a, b float64) bool { return b < a },
	"[twice]":           func(a, b float64) bool { return b == 2*a },
	"[half]":            func(a, b float64) bool { return a == 2*b },
}

// ReadFile reads the list in a file.
func ReadFile(name string) (*Ledger, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return l, nil
}

// Read reads a list. An error begins with the number of its line.
func Read(from io.Reader) (*Ledger, error) {
	l := &Ledger{}
	var r *Rule
	lines := bufio.NewScanner(from)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == "" || word[0] == '#':
		case line[0] != ' ':
			r = &Rule{Line: n, operations: strings.Fields(line)}
			if line == "*" {
				r.operations = nil
			}
			l.Rules = append(l.Rules, r)
		case r == nil:
			return nil, fmt.Errorf("%d: no operation above", n)
		case word == "in":
			r.in, _ = pattern(rest)
		case word == "at":
			r.at, _ = pattern(rest)
		case word == "ours":
			r.ours, r.groups = pattern(rest)
		case word == "theirs":
			if relation.MatchString(rest) && relations[rest] == nil {
				return nil, fmt.Errorf("%d: no relation is called %s", n, rest)
			}
			r.theirs = append(r.theirs, rest)
		case word == "why":
			r.Why = rest
		case word == "seldom" && rest == "":
			r.Seldom = true
		default:
			return nil, fmt.Errorf("%d: %q is none of in, at, ours, theirs, why, seldom", n, word)
		}
	}
	for _, r := range l.Rules {
		if r.at == nil || r.ours == nil || r.theirs == nil || r.Why == "" {
			return nil, fmt.Errorf("%d: an entry needs at, ours, theirs and why", r.Line)
		}
	}
	return l, lines.Err()
}

// relation is how a relation is written.
var relation = regexp.MustCompile(`^\[[a-z ]+\]$`)

// hole is a part of a pattern that matches anything; with a name, the same in both texts.
var hole = regexp.MustCompile(`«([a-z]*)»`)

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

// Explain finds the first entry about a difference in the answers to a request, whose JSON in is, and counts its use. It
// answers nil if there is none.
func (l *Ledger) Explain(in string, d Difference) *Rule {
	for _, r := range l.Rules {
		if r.explains(in, d) {
			l.mu.Lock()
			r.Used++
			l.mu.Unlock()
			return r
		}
	}
	return nil
}

// Unused are the entries that have not explained anything, without those that are met seldom.
func (l *Ledger) Unused() []*Rule {
	return slices.DeleteFunc(slices.Clone(l.Rules), func(r *Rule) bool { return r.Used > 0 || r.Seldom })
}

func (r *Rule) explains(in string, d Difference) bool {
	if r.operations != nil && !slices.Contains(r.operations, d.Operation) || !r.at.MatchString(d.At) {
		return false
	}
	found := r.ours.FindStringSubmatch(d.Ours)
	if found == nil || r.in != nil && !r.in.MatchString(in) {
		return false
	}
	return slices.ContainsFunc(r.theirs, func(theirs string) bool { return r.matches(theirs, found, d) })
}

// matches reports whether what the other side has is what one of the entry's theirs says, with what was found in ours.
func (r *Rule) matches(theirs string, found []string, d Difference) bool {
	if holds := relations[theirs]; holds != nil {
		a, err1 := strconv.ParseFloat(strings.Trim(d.Ours, `"`), 64)
		b, err2 := strconv.ParseFloat(strings.Trim(d.Theirs, `"`), 64)
		return err1 == nil && err2 == nil && holds(a, b)
	}
	for i, name := range r.groups {
		if name != "" {
			theirs = strings.ReplaceAll(theirs, "«"+name+"»", found[i+1])
		}
	}
	if theirs == d.Theirs { // what was filled in may look like a hole
		return true
	}
	re, _ := pattern(theirs)
	return re.MatchString(d.Theirs)
}
