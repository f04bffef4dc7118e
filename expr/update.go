package expr

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Section is a clause of an update expression.
type Section uint8

// The sections.
const (
	SET Section = iota + 1
	REMOVE
	ADD
	DELETE
)

var sectionNames = [...]string{"", "SET", "REMOVE", "ADD", "DELETE"}

// String is the section's word.
func (s Section) String() string { return sectionNames[s] }

// Action is one change of an update expression: a section, the path it changes, and, but for REMOVE, what it writes.
type Action struct {
	Section Section
	Path    Path
	At      int // where the path stands in the text, in bytes from 1; 0 if it was built in Go
	right   operand
}

// Update is an update expression. It is immutable and safe for concurrent use. A nil *Update changes nothing.
type Update struct {
	actions []Action
	touched []Path // by action
	written []Path // those of SET, ADD and DELETE
	tree    *pathTree
	err     *Error // what is wrong with an update made in Go
}

// ParseUpdate reads an UpdateExpression. Errors are *Error.
func ParseUpdate(text string, s *Substitutions) (*Update, error) {
	return parseUpdate(text, s, false)
}

// parseUpdate leaves what depends on values to the caller to check if open.
func parseUpdate(text string, s *Substitutions, open bool) (*Update, error) {
	var u *Update
	err := read(UpdateExpression, text, func(p *parser) *Error {
		p.update()
		if p.err != nil {
			return p.err
		}
		if err := p.search(); err != nil {
			return err
		}
		r := newResolver(p, s, open)
		var err *Error
		u, err = r.update()
		return err
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

// update resolves the sections below node 0. As with projections the service goes from the last to the first: through all
// paths, then through all that is written.
func (r *resolver) update() (*Update, *Error) {
	var actions []Action
	var at []int32
	var seen [DELETE + 1]bool
	nodes := r.p.nodes
	for n := nodes[0].first; n != 0; n = nodes[n].next {
		section := sectionOf(nodes[n].start, r.p.lex.text)
		if seen[section] {
			return nil, RuleSectionTwice.fail(r.p.kind, section).from(nodes[n].start + 1)
		}
		seen[section] = true
		for a := nodes[n].first; a != 0; a = nodes[a].next {
			actions = append(actions, Action{Section: section, At: int(nodes[a].start) + 1})
			at = append(at, nodes[a].first)
		}
	}
	paths, tree, err := r.paths(at)
	if err != nil {
		return nil, err
	}
	for i := len(actions) - 1; i >= 0; i-- {
		a := &actions[i]
		a.Path = paths[i]
		if a.Section == REMOVE {
			continue
		}
		if err := r.operand(nodes[at[i]].next, &a.right); err != nil {
			return nil, err
		}
		if !r.open {
			if err := a.check(); err != nil {
				return nil, err
			}
		}
	}
	if err := checkActionOperators(r.p.kind, actions); err != nil {
		return nil, err
	}
	return newUpdate(actions, paths, tree), nil
}

// checkActionOperators is checkOperators of all that the actions write.
func checkActionOperators(k Kind, actions []Action) *Error {
	left := maxOperators
	for i := range actions {
		if at, found := beyond([]operand{actions[i].right}, &left); found {
			return tooMany(k, at)
		}
	}
	return nil
}

// sectionOf is the section whose word begins at start.
func sectionOf(start int32, text string) Section {
	switch text[start] | 0x20 {
	case 's':
		return SET
	case 'r':
		return REMOVE
	case 'a':
		return ADD
	default:
		return DELETE
	}
}

// longNames are the types' names in messages about ADD and DELETE, which say BOOL but STRING (measured on AWS, 2026-09).
var longNames = [...]string{
	attr.KindS: "STRING", attr.KindN: "NUMBER", attr.KindB: "BINARY", attr.KindBOOL: "BOOLEAN", attr.KindNULL: "NULL",
	attr.KindM: "MAP", attr.KindL: "LIST", attr.KindSS: "STRING_SET", attr.KindNS: "NUMBER_SET", attr.KindBS: "BINARY_SET",
}

// check checks what ADD and DELETE write.
func (a *Action) check() *Error {
	allowed := addKinds
	switch a.Section {
	case DELETE:
		allowed = deleteKinds
	case ADD:
	default:
		return nil
	}
	if k := a.right.value.Kind(); !allowed.has(k) {
		return RuleOperandTypeUpdate.fail(UpdateExpression, a.Section, longNames[k]).from(a.right.at)
	}
	return nil
}

func newUpdate(actions []Action, paths []Path, tree *pathTree) *Update {
	u := &Update{actions: actions, touched: paths, written: paths, tree: tree}
	if slices.ContainsFunc(actions, func(a Action) bool { return a.Section == REMOVE }) {
		u.written = nil
		for i := range actions {
			if actions[i].Section != REMOVE {
				u.written = append(u.written, paths[i])
			}
		}
	}
	return u
}

// Actions are the changes in the order of the text. The caller must not change them.
func (u *Update) Actions() []Action {
	if u == nil {
		return nil
	}
	return u.actions
}

// OnlyRemoves is whether the update takes away and writes nothing: all its clauses are REMOVE and DELETE, and there is one.
// Such an update of an item that does not exist makes none.
func (u *Update) OnlyRemoves() bool {
	writes := func(a Action) bool { return a.Section == SET || a.Section == ADD }
	return len(u.Actions()) > 0 && !slices.ContainsFunc(u.actions, writes)
}

// Paths are the document paths that the update changes or reads, each once: in the order of the changes, of each what it
// changes before what it reads.
func (u *Update) Paths() (list []Path) {
	for i := range u.Actions() {
		a := &u.actions[i]
		if !slices.ContainsFunc(list, a.Path.Equal) {
			list = append(list, a.Path)
		}
		if a.Section != REMOVE {
			list = argPaths([]operand{a.right}, list)
		}
	}
	return list
}

// Touched are the paths that the expression changes, in the order of the text: for the check of key attributes, and what
// UPDATED_OLD answers (Pick them from the item before). The caller must not change them.
func (u *Update) Touched() []Path {
	if u == nil {
		return nil
	}
	return u.touched
}
