package stats

import (
	"encoding/json"
	"slices"
)

// knownUses are what the expressions of an operation's requests name: programs use the same few again and again, with other values.
type knownUses struct {
	list   [4]expressionUses
	missed int // how often none of these was meant
}

// expressionUses is what the expressions of a request name. Neither it nor what it refers to changes: others may still read it.
type expressionUses struct {
	texts [6]json.RawMessage
	uses  []Attribute
}

const (
	// knownLongest is the longest text of expressions that is kept. Once the list is full, one of knownFor requests with other expressions
	// takes a place in it.
	knownLongest = 2 << 10
	knownFor     = 16
)

// note notes what the expressions of a request name, in a Detail that has no attributes yet.
func (k *knownUses) note(d *Detail, r *request) {
	if r.of != nil {
		d.Attributes = append(d.Attributes, r.of.uses...)
		return
	}
	texts, length := [...]json.RawMessage{r.condition, r.keyCondition, r.filter, r.projection, r.update, r.names}, 0
	for _, text := range texts {
		length += len(text)
	}
	if length == len(r.names) {
		return
	}
	for i := range k.list {
		if u := &k.list[i]; u.is(&texts) {
			d.Attributes = append(d.Attributes, u.uses...)
			return
		}
	}
	d.expressions(r)
	if k.missed++; length > knownLongest || k.missed > len(k.list) && k.missed%knownFor > 0 {
		return
	}
	at := k.missed - 1
	if at >= len(k.list) {
		at = k.missed / knownFor % len(k.list)
	}
	u := expressionUses{uses: slices.Clone(d.Attributes)}
	for i := range u.uses {
		u.uses[i].Name = slices.Clone(u.uses[i].Name)
	}
	for i, text := range texts {
		u.texts[i] = slices.Clone(text)
	}
	k.list[at] = u
}

func (u *expressionUses) is(texts *[6]json.RawMessage) bool {
	for i := range texts {
		if len(u.texts[i]) != len(texts[i]) || len(texts[i]) > 0 && string(u.texts[i]) != string(texts[i]) {
			return false
		}
	}
	return true
}

// expressions notes what the expressions of a request name.
func (d *Detail) expressions(r *request) {
	if r.of != nil {
		for _, u := range r.of.uses {
			d.attribute(len(d.Attributes), 0, u.Name, u.Use, 0, u.Count)
		}
	}
	for i, text := range [...]json.RawMessage{r.condition, r.keyCondition, r.filter, r.projection, r.update} {
		if text == nil {
			continue
		}
		of := [...]Use{Tested, Keyed, Sifted, Asked, Reckoned}[i]
		r.paths(text, of, func(name []byte, n naming) {
			use := of
			switch {
			case n.changed:
				use = Written
			case n.equal:
				use = Equal
			}
			d.attribute(len(d.Attributes), 0, name, use, 0, 1)
			if n.added {
				d.attribute(len(d.Attributes), 0, name, Reckoned, 0, 1)
			}
			if n.bare {
				d.attribute(len(d.Attributes), 0, name, Bare, 0, 1)
			}
		})
	}
}
