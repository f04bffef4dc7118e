package ledger

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Difference is a place in an answer, and what each side has there: the text of a JSON value, or "-" for nothing.
type Difference struct {
	Operation string
	At        string // "error", "status", or the path of a member, without positions in lists: "Items[].a.N"
	Ours      string
	Theirs    string
}

// String is the difference in three lines.
func (d Difference) String() string {
	return fmt.Sprintf("%s at %s\n  ours   %s\n  theirs %s", d.Operation, d.At, d.Ours, d.Theirs)
}

// Compare lists what differs between two answers. Where the errors differ, nothing else is looked at.
func Compare(operation string, ours, theirs Answer) []Difference {
	var found []Difference
	add := func(at, a, b string) { found = append(found, Difference{operation, at, a, b}) }
	if ours.Failed != theirs.Failed {
		say := func(a Answer) string {
			if a.Failed == "" {
				return "-"
			}
			return a.Failed
		}
		add("error", say(ours), say(theirs))
		return found
	}
	if ours.Status != theirs.Status {
		add("status", fmt.Sprint(ours.Status), fmt.Sprint(theirs.Status))
	}
	walk("", ours.Body, theirs.Body, add)
	return found
}

func walk(at string, ours, theirs any, add func(at, ours, theirs string)) {
	if reflect.DeepEqual(ours, theirs) {
		return
	}
	a, aMap := ours.(map[string]any)
	b, bMap := theirs.(map[string]any)
	if aMap && bMap {
		var names []string
		for name := range a {
			names = append(names, name)
		}
		for name := range b {
			if _, both := a[name]; !both {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			x, inA := a[name]
			y, inB := b[name]
			path := strings.TrimPrefix(at+"."+name, ".")
			switch {
			case !inA:
				add(path, "-", Text(y))
			case !inB:
				add(path, Text(x), "-")
			default:
				walk(path, x, y, add)
			}
		}
		return
	}
	l, aList := ours.([]any)
	m, bList := theirs.([]any)
	if aList && bList && len(l) == len(m) {
		for i := range l {
			walk(at+"[]", l[i], m[i], add)
		}
		return
	}
	add(at, Text(ours), Text(theirs))
}
