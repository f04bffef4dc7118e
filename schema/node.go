package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// form is what kind of value a type holds.
type form uint8

const (
	anyForm form = iota
	stringForm
	timeForm // S, RFC 3339
	numberForm
	boolForm
	binaryForm
	listForm
	setForm
	mapForm
	objectForm
)

// node is a type with its rules. It does not change once it is part of a shape.
type node struct {
	form    form
	null    bool // NULL will do as well
	size    size
	pattern *regexp.Regexp
	enum    []attr.Value // nil: any
	low     bound
	high    bound
	integer bool
	places  int // decimals allowed; -1: any
	step    attr.Number
	stepped bool       // step counts
	single  bool       // it must fit into a float32
	elem    *node      // of lists, sets, maps
	keys    *node      // of maps; nil: any
	shape   *Shape     // of objects
	missing attr.Value // the default
}

// size is a rule about a length; max < 0 is without end.
type size struct{ min, max int }

func (s size) any() bool        { return s.min == 0 && s.max < 0 }
func (s size) holds(n int) bool { return n >= s.min && (s.max < 0 || n <= s.max) }

// text says what is demanded: "1 to 40", "at least 1", "at most 40", "exactly 8".
func (s size) text() string {
	switch {
	case s.max < 0:
		return fmt.Sprintf("at least %d", s.min)
	case s.min == s.max:
		return fmt.Sprintf("exactly %d", s.min)
	case s.min == 0:
		return fmt.Sprintf("at most %d", s.max)
	}
	return fmt.Sprintf("%d to %d", s.min, s.max)
}

// bound is one end of a range of numbers.
type bound struct {
	set  bool
	open bool // the number itself is out
	n    attr.Number
	i    int64 // n, if it is whole and fits
	isI  bool
}

func boundAt(n attr.Number, open bool) bound {
	b := bound{set: true, open: open, n: n}
	b.i, b.isI = n.Int64()
	return b
}

// above reports whether n is on the upper side of b; below, whether it is on the lower.
func (b *bound) above(n attr.Number) bool {
	if !b.set {
		return true
	}
	c := n.Cmp(b.n)
	return c > 0 || c == 0 && !b.open
}

func (b *bound) below(n attr.Number) bool {
	if !b.set {
		return true
	}
	c := n.Cmp(b.n)
	return c < 0 || c == 0 && !b.open
}

func newNode(f form) node { return node{form: f, size: size{0, -1}, places: -1} }

// kinds are the types of attribute values that the form is stored as.
func (n *node) holds(k attr.Kind) bool {
	switch n.form {
	case anyForm:
		return k != attr.KindNULL || n.null
	case stringForm, timeForm:
		return k == attr.KindS
	case numberForm:
		return k == attr.KindN
	case boolForm:
		return k == attr.KindBOOL
	case binaryForm:
		return k == attr.KindB
	case listForm:
		return k == attr.KindL
	case setForm:
		return k == n.setKind()
	}
	return k == attr.KindM
}

// setKind is the kind of set that elements make.
func (n *node) setKind() attr.Kind {
	switch n.elem.form {
	case numberForm:
		return attr.KindNS
	case binaryForm:
		return attr.KindBS
	}
	return attr.KindSS
}

// plain reports whether every value of the right kind will do.
func (n *node) plain() bool {
	return n.size.any() && n.pattern == nil && n.enum == nil && !n.low.set && !n.high.set && !n.integer && n.places < 0 &&
		!n.stepped && !n.single
}

// must panics on a mistake in a declaration.
func must(err error) {
	if err != nil {
		panic("schema: " + err.Error())
	}
}

// settle brings the rules into one form; it tells of rules that contradict each other.
func (n *node) settle() error {
	if n.places > maxPlaces {
		return fmt.Errorf("%d decimals: no number has so many", n.places)
	}
	if n.stepped && n.places >= 0 {
		step, err := commonMultiple(n.step, attr.Dec(fmt.Sprint("1e-", n.places)))
		if err != nil {
			return err
		}
		n.step, n.places = step, -1
	}
	if n.size.max >= 0 && n.size.min > n.size.max {
		return fmt.Errorf("a length from %d to %d", n.size.min, n.size.max)
	}
	if n.low.set && n.high.set {
		if c := n.low.n.Cmp(n.high.n); c > 0 || c == 0 && (n.low.open || n.high.open) {
			return fmt.Errorf("a range in which there is nothing")
		}
	}
	for _, v := range n.enum {
		bare := *n
		bare.enum = nil
		if !bare.check(v, nil) {
			return fmt.Errorf("the enumeration has what the other rules do not allow")
		}
	}
	if !n.missing.IsZero() && !n.check(n.missing, nil) {
		return fmt.Errorf("the default breaks the rules")
	}
	return nil
}

// among reports whether v is one of the enumerated values.
func (n *node) among(v attr.Value) bool {
	return slices.ContainsFunc(n.enum, func(e attr.Value) bool { return attr.Equal(e, v) })
}

// enumText lists the enumeration: "placed, paid or shipped".
func (n *node) enumText() string {
	words := make([]string, len(n.enum))
	for i, v := range n.enum {
		words[i] = v.Str()
		if v.Kind() == attr.KindBOOL {
			words[i] = fmt.Sprint(v.Bool())
		}
		if words[i] == "" {
			words[i] = `""`
		}
	}
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
