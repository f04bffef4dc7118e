package spec

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/near"
)

// Segment is one name of a path, looked up. One of Attribute and Way is set.
type Segment struct {
	Name      string
	Attribute *Attribute    // an attribute of the entity, or a field of the map before
	Way       *Relationship // a way there, or a way back if Back
	Back      bool
}

// Entity is where a way leads; nil for an attribute.
func (s Segment) Entity() *Entity {
	switch {
	case s.Way == nil:
		return nil
	case s.Back:
		return s.Way.From
	}
	return s.Way.To
}

// ToOne reports whether the segment leads to at most one value or entity: an attribute, a way there, or a way back to
// at most one child per parent.
func (s Segment) ToOne() bool {
	return !s.Back || s.Way.PerParent.Stated && s.Way.PerParent.Max <= 1
}

// Resolve looks up the names of a path that begins at e: every name but the last is a way there, a way back or a map
// with declared content. An attribute and the way that it declares may have one name: at the end of a path it is the
// attribute. The error is an *Error whose Offset counts from the beginning of the path, with what may have
// been meant.
func (e *Entity) Resolve(p Path) ([]Segment, error) {
	out, err := e.resolve(p)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (e *Entity) resolve(p Path) ([]Segment, *Error) {
	out := make([]Segment, 0, len(p))
	var inside *Attribute // the map that names are looked up in; nil: in e
	offset := 0
	for i, name := range p {
		var s Segment
		last := i == len(p)-1
		if inside != nil {
			a := find(inside.Fields, name)
			if a == nil {
				return nil, unknown(offset, name, "the map "+inside.Name, attributeNames(inside.Fields))
			}
			s = Segment{Name: name, Attribute: a}
		} else if a := e.Attribute(name); a != nil && e.WayOn(p[i:]) == nil {
			s = Segment{Name: name, Attribute: a}
		} else if w := e.WayOn(p[i:]); w != nil {
			s = Segment{Name: name, Way: w}
		} else if w := e.WayBack(name); w != nil {
			s = Segment{Name: name, Way: w, Back: true}
		} else {
			return nil, unknown(offset, name, e.Name, e.names())
		}
		out = append(out, s)
		if !last {
			switch {
			case s.Way != nil:
				e = s.Entity()
			case s.Attribute.Type == MapType && len(s.Attribute.Fields) > 0:
				inside = s.Attribute
			case s.Attribute.Type == MapType:
				return nil, errorf(offset+len(name)+1, "declare what is inside with `attributes`", "the map %s has no declared content", name)
			case s.Attribute.Reference != nil:
				return nil, errorf(offset+len(name)+1, "go on from the way: "+s.Attribute.Reference.Name+"."+strings.Join(p[i+1:], "."),
					"%s is the foreign key, not the way to %s", name, s.Attribute.Reference.To.Name)
			default:
				return nil, errorf(offset+len(name)+1, "", "%s is neither a way nor a map: nothing is inside", name)
			}
		}
		offset += len(name) + 1
	}
	return out, nil
}

func (e *Entity) names() []string {
	names := attributeNames(e.Attributes)
	for _, w := range e.There {
		if !slices.Contains(names, w.Name) { // the foreign key may have the name of its way
			names = append(names, w.Name)
		}
	}
	for _, w := range e.Back {
		names = append(names, w.Inverse)
	}
	return names
}

func attributeNames(as []*Attribute) []string {
	var names []string
	for _, a := range as {
		if !a.Rest {
			names = append(names, a.Name)
		}
	}
	return names
}

// unknown is the error for a name that is not there.
func unknown(offset int, name, where string, candidates []string) *Error {
	remedy := ""
	if before, _, dash := strings.Cut(name, "-"); dash && slices.Contains(candidates, before) {
		remedy = "a minus has a space on both sides: " + before + " - …"
	} else if n := near.Name(name, candidates); n != "" {
		remedy = "did you mean " + n + "?"
	} else if len(candidates) > 0 && len(candidates) <= 12 {
		remedy = "it has " + strings.Join(candidates, ", ")
	}
	err := errorf(offset, remedy, "%s has no %s", where, name)
	err.Code = UnknownName
	return err
}
