package expr

import "github.com/tablewright/tablewright/attr"

// Path is a document path: an attribute, then fields of maps and elements of lists. It is immutable.
type Path struct{ steps []step }

// step is a field of a map (index < 0) or an element of a list.
type step struct {
	name  string
	index int
}

// Name makes the path of a top-level attribute. The name is taken as it is: dots in it are part of it.
func Name(attribute string) Path { return Path{[]step{{attribute, -1}}} }

// Field is the path of a field of the map at p.
func (p Path) Field(name string) Path {
	return Path{append(p.steps[:len(p.steps):len(p.steps)], step{name, -1})}
}

// Index is the path of an element of the list at p.
func (p Path) Index(i int) Path {
	return Path{append(p.steps[:len(p.steps):len(p.steps)], step{"", i})}
}

// Attribute is the top-level attribute's name.
func (p Path) Attribute() string { return p.steps[0].name }

// Len is the number of steps; 1 for a top-level attribute.
func (p Path) Len() int { return len(p.steps) }

// String writes the path as a.b[1], whatever characters the names have.
func (p Path) String() string { panic("expr: to be written") }

// Get is the value at the path; the zero Value if the item has nothing there.
func (p Path) Get(it attr.Item) attr.Value { panic("expr: to be written") }
