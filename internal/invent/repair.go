package invent

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

// accepted reads requirements; nil if there is an error in them.
func accepted(text []byte) *spec.Requirements {
	r, _, found := model.ReadRequirements("requirements.yaml", text)
	if found.Errors() > 0 {
		return nil
	}
	return r
}

// repair takes out of requirements what keeps them from being read, and what hangs on it; nil if nothing is left.
func repair(root *yaml.Node) *yaml.Node {
	for range 60 {
		_, _, found := model.ReadRequirements("requirements.yaml", print(root))
		if found.Errors() == 0 {
			return root
		}
		before := len(print(root))
		for _, d := range found {
			if d.Severity == model.Error {
				remedy(root, d)
			}
		}
		if len(print(root)) == before || len(orEmpty(get(root, "entities")).Content) == 0 || len(orEmpty(get(root, "patterns")).Content) == 0 {
			return nil
		}
	}
	return nil
}

// remedy takes out what a finding is about.
func remedy(root *yaml.Node, d model.Diagnostic) {
	patterns, entities := get(root, "patterns"), get(root, "entities")
	of, inner, _ := strings.Cut(d.Of, ".")
	switch e := get(entities, of); {
	case get(patterns, d.Of) != nil:
		drop(patterns, d.Of)
	case e == nil:
		drop(root, d.Of) // workflows, types
	case inner != "":
		withoutAttribute(e, inner)
	case d.Code == "size-missing" || d.Code == "size-disagrees":
		set(e, "bytes", spread(3_000, 40_000))
	case strings.HasPrefix(d.Code, "growth"):
		drop(e, "growth")
	case d.Code == "count-missing":
		set(e, "count", "1_000")
	case d.Code == "count-disagrees" && get(e, "count") != nil:
		drop(e, "count")
	case d.Code == "unknown-name" && (get(e, "unique") != nil || get(e, "expires") != nil):
		drop(e, "unique")
		drop(e, "expires")
	default:
		withoutEntity(root, of)
	}
}

// withoutEntity takes an entity out, with what points to it and what reads or writes it.
func withoutEntity(root *yaml.Node, name string) {
	before := accepted(print(root))
	drop(get(root, "entities"), name)
	for child, e := range entries(get(root, "entities")) {
		for a, d := range entries(clone(get(e, "attributes"))) {
			if n := get(d, "references"); n != nil && n.Value == name {
				withoutAttribute(e, a)
			}
			if n := get(d, "parent"); n != nil && n.Value == name {
				withoutAttribute(e, a)
				if get(e, "count") == nil { // it followed from the parent
					set(e, "count", "1_000")
					if before != nil {
						set(e, "count", number(before.Entity(child).Count))
					}
				}
			}
		}
	}
	patterns := get(root, "patterns")
	for p, d := range entries(clone(patterns)) {
		if n := get(d, "read"); n != nil && n.Value == name {
			drop(patterns, p)
		}
		for _, action := range actionsOf(d) {
			for verb, of := range entries(action) {
				if slices.Contains([]string{"create", "replace", "upsert", "update", "delete"}, verb) && of.Value == name {
					drop(patterns, p)
				}
			}
		}
	}
	if a := get(root, "application", "streams"); a != nil {
		drop(get(root, "application"), "streams")
	}
}

func actionsOf(pattern *yaml.Node) []*yaml.Node {
	w := get(pattern, "write")
	switch {
	case w == nil:
		return nil
	case w.Kind == yaml.SequenceNode:
		return w.Content
	}
	return []*yaml.Node{w}
}

// withoutAttribute takes an attribute out, also from the identity.
func withoutAttribute(e *yaml.Node, name string) {
	attributes := get(e, "attributes")
	drop(attributes, name)
	if id := get(e, "identity"); id != nil && id.Kind == yaml.SequenceNode {
		id.Content = slices.DeleteFunc(id.Content, func(n *yaml.Node) bool { return n.Value == name })
		if len(id.Content) == 0 && len(attributes.Content) > 0 { // whatever can be one
			for a, d := range entries(attributes) {
				if get(d, "optional") == nil && get(d, "derived") == nil && len(id.Content) == 0 {
					id.Content = append(id.Content, word(a))
				}
			}
		}
	}
	for a, d := range entries(clone(attributes)) {
		if by := get(d, "by"); by != nil && slices.Contains(texts(by), name) {
			withoutAttribute(e, a)
		}
	}
}

// needed are the keys that a file must not lack: Shrink leaves them alone.
var needed = []string{"tablewright", "application", "entities", "patterns", "identity", "attributes", "rate", "average", "peak", "read", "write", "type"}
