package conformance

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Differences are the cases that an implementation is known not to pass, by their names, so that a run can be held to
// exactly these: what is new is a fault, and so is an entry that is no longer true. As a file they have entries of
//
//	put_item: wrong key type
//	  got ValidationException: One or more parameter values were invalid: Type mismatch for key
//	  why captured on AWS (2026): the message names key and types
//
// with lines that begin with # as comments. An implementation that answers now this, now that, for the order of names in a
// hash table, gets both: "got ResourceNotFoundException: … | ValidationException: …".
type Differences map[string]Difference

// Difference is what an implementation answers to a case, as Result.Summary words it, and why the case is right.
type Difference struct{ Got, Why string }

// tells reports whether an answer is the one, or one of those, that is known.
func (d Difference) tells(summary string) bool {
	return d.Got == summary || slices.Contains(strings.Split(d.Got, " | "), summary)
}

// ReadDifferences reads a file of differences.
func ReadDifferences(r io.Reader) (Differences, error) {
	all := Differences{}
	var name string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		got, isGot := strings.CutPrefix(line, "  got ")
		why, isWhy := strings.CutPrefix(line, "  why ")
		d, known := all[name]
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case (isGot || isWhy) && name == "":
			return nil, fmt.Errorf("line %d: no case stands before it", n)
		case isGot:
			d.Got = got
			all[name] = d
		case isWhy:
			d.Why = why
			all[name] = d
		case line[0] == ' ':
			return nil, fmt.Errorf("line %d: neither a case nor what it got nor why", n)
		default:
			if name = line; known && d.Got == "" {
				return nil, fmt.Errorf("line %d: the case before it has no line of what it got", n)
			}
			if _, twice := all[name]; twice {
				return nil, fmt.Errorf("line %d: %s is listed twice", n, name)
			}
			all[name] = Difference{}
		}
	}
	return all, lines.Err()
}

// Write writes a file of differences in the order of the cases; about is its first lines, as comments.
func (d Differences) Write(w io.Writer, about string, cases []Case) error {
	var b strings.Builder
	for line := range strings.Lines(about) {
		b.WriteString("# " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for _, c := range cases {
		if x, differs := d[c.Name]; differs {
			fmt.Fprintf(&b, "\n%s\n  got %s\n", c.Name, x.Got)
			if x.Why != "" {
				fmt.Fprintf(&b, "  why %s\n", x.Why)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Differences are those that a run has found, with the reasons that known has, or the cases' own.
func (r *Report) Differences(known Differences) Differences {
	found := Differences{}
	for _, result := range r.Results {
		if result.Status == Failed || result.Status == Missing {
			d := known[result.Name]
			if !d.tells(result.Summary()) {
				d.Got = result.Summary()
			}
			found[result.Name] = Difference{d.Got, cmp.Or(d.Why, result.Why)}
		}
	}
	return found
}

// A Surprise is a case that did not do as the known differences say.
type Surprise struct {
	Result Result
	Known  Difference // what was expected; none, if the case was expected to pass
}

// Surprises are the cases of a run that known does not tell: that differ, or differ otherwise, or no longer.
func (r *Report) Surprises(known Differences) []Surprise {
	var all []Surprise
	for _, result := range r.Results {
		d, differs := known[result.Name]
		fails := result.Status == Failed || result.Status == Missing
		if result.Status != Skipped && (fails != differs || fails && !d.tells(result.Summary())) {
			all = append(all, Surprise{result, d})
		}
	}
	return all
}

// Unknown are the names in known that no case has, in order.
func (d Differences) Unknown(cases []Case) []string {
	var all []string
	for name := range d {
		if !slices.ContainsFunc(cases, func(c Case) bool { return c.Name == name }) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}
