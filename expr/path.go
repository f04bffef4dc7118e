package expr

import (
	"math"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// maxSteps is the number of steps that a path may have, as deep as items may be (page Constraints of the developer guide).
const maxSteps = 32

// Path is a document path: an attribute, then fields of maps and elements of lists. It is immutable; the zero Path leads
// nowhere.
type Path struct{ steps []step }

// step is a field of a map (index < 0) or an element of a list.
type step struct {
	name  string
	index int
}

func field(name string) step { return step{name, -1} }
func element(i int) step     { return step{"", i} }

// position reads the index of a list's element. The largest is 4,294,967,294 (measured on AWS, 2026-09: floci's issue threads);
// where an int is shorter, what is beyond its range is as good as its end, which no list reaches.
func position(text string) (i int, ok bool) {
	n, err := strconv.ParseUint(text, 10, 32)
	return int(min(n, math.MaxInt)), err == nil && n < math.MaxUint32
}

func (s step) isField() bool { return s.index < 0 }
func (s step) compare(t step) int {
	if s.isField() && t.isField() {
		return strings.Compare(s.name, t.name)
	}
	return s.index - t.index // fields before elements; only paths that conflict have both in one place
}

// Name makes the path of a top-level attribute. The name is taken as it is: dots in it are part of it.
func Name(attribute string) Path { return Path{[]step{field(attribute)}} }

// Field is the path of a field of the map at p.
func (p Path) Field(name string) Path { return p.with(field(name)) }

// Index is the path of element i of the list at p, counted from 0.
func (p Path) Index(i int) Path { return p.with(element(max(i, 0))) }

func (p Path) with(s step) Path {
	steps := make([]step, len(p.steps)+1)
	copy(steps, p.steps)
	steps[len(p.steps)] = s
	return Path{steps}
}

// Attribute is the top-level attribute's name; "" for the zero Path.
func (p Path) Attribute() string {
	if len(p.steps) == 0 {
		return ""
	}
	return p.steps[0].name
}

// Len is the number of steps: 1 for a top-level attribute.
func (p Path) Len() int { return len(p.steps) }

// Step is step i of the path, from 0: a name, or, with the name "", the position of an element.
func (p Path) Step(i int) (name string, index int) {
	s := p.steps[i]
	return s.name, max(s.index, 0)
}

// Equal reports whether p and q are the same path.
func (p Path) Equal(q Path) bool {
	if len(p.steps) != len(q.steps) {
		return false
	}
	for i := range p.steps {
		if p.steps[i] != q.steps[i] {
			return false
		}
	}
	return true
}

// String writes the path as a.b[1], whatever characters the names have.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p.steps {
		switch {
		case !s.isField():
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		case i > 0:
			b.WriteByte('.')
			fallthrough
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// inMessage writes the path as DynamoDB's messages do: [a, b, [1]].
func (p Path) inMessage() string {
	b := []byte{'['}
	for i, s := range p.steps {
		if i > 0 {
			b = append(b, ", "...)
		}
		if s.isField() {
			b = append(b, s.name...)
			continue
		}
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(s.index), 10)
		b = append(b, ']')
	}
	return string(append(b, ']'))
}

// Get is the value at the path; the zero Value if the item has nothing there.
func (p Path) Get(it attr.Item) attr.Value {
	if len(p.steps) == 0 {
		return attr.Value{}
	}
	v := it.Get(p.steps[0].name)
	for i := 1; i < len(p.steps); i++ {
		v = p.steps[i].of(v)
	}
	return v
}

// of is what v has at the step; the zero Value if it has nothing there.
func (s step) of(v attr.Value) attr.Value {
	if s.isField() {
		return v.Map().Get(s.name)
	}
	if v.Kind() == attr.KindL {
		if l := v.Elems(); s.index < len(l) {
			return l[s.index]
		}
	}
	return attr.Value{}
}

// relation tells how two paths stand to each other.
type relation uint8

const (
	apart    relation = iota
	overlaps          // equal, or one leads through the other
	conflict          // one goes through a map where the other goes through a list
)

func relate(p, q Path) relation {
	for i := 0; i < len(p.steps) && i < len(q.steps); i++ {
		s, t := p.steps[i], q.steps[i]
		if s.isField() != t.isField() {
			return conflict
		}
		if s != t {
			return apart
		}
	}
	return overlaps
}
