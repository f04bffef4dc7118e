package wire

import "github.com/tablewright/tablewright/attr"

// Parameters from before expressions (LegacyConditionalParameters). Here they have their form; what they mean is the
// engine's matter, which makes expressions of them.

// Comparison is the condition on one attribute in Expected, KeyConditions, QueryFilter or ScanFilter.
type Comparison struct {
	Attribute string
	Operator  string       // ComparisonOperator: "EQ", "BEGINS_WITH", …; empty if absent, which only Expected takes
	Values    []attr.Value // AttributeValueList
	Listed    bool         // there is an AttributeValueList, be it empty
	Bad       *attr.ValueError
	// Value and Exists are of Expected alone.
	Value  *attr.Value
	Exists *bool
	Null   bool // null stands in its place

	operator text
}

// AttributeUpdate is what AttributeUpdates does to one attribute.
type AttributeUpdate struct {
	Attribute string
	Action    string      // "PUT", "ADD", "DELETE" or empty, which is PUT
	Value     *attr.Value // nil if absent
	Bad       *attr.ValueError
	Null      bool // null stands in its place

	action text
}

// Expectations are the conditions of a write from before expressions.
type Expectations struct {
	Expected            []Comparison
	ConditionalOperator string // "AND", "OR" or empty

	operator text
}

// member reads the member of the name if it is one of the expectations.
func (x *Expectations) member(r *request, name []byte) bool {
	switch string(name) {
	case "Expected":
		x.Expected = r.comparisons("ExpectedAttributeValue")
	case "ConditionalOperator":
		x.operator = r.text()
	default:
		return false
	}
	return true
}

func (x *Expectations) check(r *request) {
	x.ConditionalOperator = r.enum("conditionalOperator", x.operator, wordsConditional)
	r.checkComparisons("expected", x.Expected, false)
}

func (x *Expectations) append(o *object) {
	o.comparisons("Expected", x.Expected)
	o.word("ConditionalOperator", x.ConditionalOperator)
}

// comparisons reads a map of conditions by attribute; of several on one attribute the last counts.
func (r *request) comparisons(class string) (l []Comparison) {
	if r.Null() {
		return nil
	}
	l = []Comparison{}
	for name := range r.Entries(class) {
		c := Comparison{Attribute: string(name)}
		r.comparison(class, &c)
		l = keepLast(l, c, func(c *Comparison) string { return c.Attribute })
	}
	return l
}

func (r *request) comparison(class string, c *Comparison) {
	if c.Null = r.Null(); c.Null {
		return
	}
	bad := func(err error) {
		if v := valueError(err); v != nil && c.Bad == nil {
			c.Bad = v
		}
	}
	for name := range r.Fields(class) {
		switch string(name) {
		case "ComparisonOperator":
			c.operator = r.text()
		case "AttributeValueList":
			if r.Null() {
				continue
			}
			c.Listed = true
			for range r.Elems() {
				v, err := r.Value()
				bad(err)
				c.Values = append(c.Values, v)
			}
		case "Value":
			if class != "ExpectedAttributeValue" || r.Null() {
				continue
			}
			v, err := r.Value()
			bad(err)
			c.Value = &v
		case "Exists":
			if class == "ExpectedAttributeValue" {
				c.Exists = r.boolPointer()
			}
		}
	}
}

// checkComparisons checks the operators; where they are required, only Expected does without.
func (r *request) checkComparisons(path string, l []Comparison, required bool) {
	for i := range l {
		c := &l[i]
		at := path + "." + c.Attribute + ".member.comparisonOperator"
		if required {
			r.require(at, c.operator.set)
		}
		c.Operator = r.enum(at, c.operator, wordsComparison)
	}
}

// attributeUpdates reads AttributeUpdates; of several on one attribute the last counts.
func (r *request) attributeUpdates() (l []AttributeUpdate) {
	if r.Null() {
		return nil
	}
	for name := range r.Entries("AttributeValueUpdate") {
		u := AttributeUpdate{Attribute: string(name)}
		if u.Null = r.Null(); !u.Null {
			for name := range r.Fields("AttributeValueUpdate") {
				switch string(name) {
				case "Action":
					u.action = r.text()
				case "Value":
					if r.Null() {
						continue
					}
					v, err := r.Value()
					u.Value, u.Bad = &v, valueError(err)
				}
			}
		}
		l = keepLast(l, u, func(u *AttributeUpdate) string { return u.Attribute })
	}
	return l
}

func (r *request) checkAttributeUpdates(l []AttributeUpdate) {
	for i := range l {
		l[i].Action = r.enum("attributeUpdates."+l[i].Attribute+".member.action", l[i].action, wordsAction)
	}
}

// keepLast appends e, or puts it in the place of the one that has its name.
func keepLast[T any](l []T, e T, name func(*T) string) []T {
	for i := range l {
		if name(&l[i]) == name(&e) {
			l[i] = e
			return l
		}
	}
	return append(l, e)
}

// attributesToGet reads a list of names; nil if it is absent.
func (r *request) attributesToGet() (l []string) {
	if r.Null() {
		return nil
	}
	l = []string{}
	for range r.Elems() {
		l = append(l, r.Text())
	}
	return l
}

func (r *request) checkAttributesToGet(path string, l []string) {
	if l != nil {
		shown := "'[]'"
		if len(l) > 0 {
			shown = ""
		}
		r.length(path, shown, len(l), 1, 255)
	}
}

const (
	wordsConditional = "[OR, AND]"
	wordsAction      = "[ADD, PUT, DELETE]"
	wordsComparison  = "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"
)

func (o *object) comparisons(name string, l []Comparison) {
	if l == nil {
		return
	}
	o.key(name)
	o.nested(func(o *object) {
		for i := range l {
			c := &l[i]
			o.key(c.Attribute)
			if c.Null {
				o.dst = append(o.dst, "null"...)
				continue
			}
			o.nested(func(o *object) {
				if c.Value != nil {
					o.key("Value")
					o.dst = attr.AppendValue(o.dst, *c.Value)
				}
				o.optionalBool("Exists", c.Exists)
				o.word("ComparisonOperator", c.Operator)
				if c.Listed {
					o.key("AttributeValueList")
					o.list(len(c.Values), func(o *object, i int) { o.dst = attr.AppendValue(o.dst, c.Values[i]) })
				}
			})
		}
	})
}

func (o *object) attributeUpdates(l []AttributeUpdate) {
	if l == nil {
		return
	}
	o.key("AttributeUpdates")
	o.nested(func(o *object) {
		for i := range l {
			u := &l[i]
			o.key(u.Attribute)
			if u.Null {
				o.dst = append(o.dst, "null"...)
				continue
			}
			o.nested(func(o *object) {
				if u.Value != nil {
					o.key("Value")
					o.dst = attr.AppendValue(o.dst, *u.Value)
				}
				o.word("Action", u.Action)
			})
		}
	})
}

func (o *object) attributesToGet(l []string) {
	if l != nil {
		o.key("AttributesToGet")
		o.list(len(l), func(o *object, i int) { o.dst = attr.AppendText(o.dst, l[i]) })
	}
}
