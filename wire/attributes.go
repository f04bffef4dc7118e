package wire

import (
	"errors"

	"github.com/tablewright/tablewright/attr"
)

// Attributes is an item or key in a request.
type Attributes struct {
	attr.Item
	// Bad is why a value in it is not one that DynamoDB takes: a *attr.ValueError, or nil. It is told after checks of
	// other members.
	Bad *attr.ValueError
}

// Of makes Attributes of an item.
func Of(it attr.Item) Attributes { return Attributes{Item: it} }

func (r *request) attributes() (a Attributes, present bool) {
	if r.Null() {
		return a, false
	}
	it, err := r.Item()
	a.Item, a.Bad = it, valueError(err)
	return a, true
}

// valueError is nil unless err is a *attr.ValueError; all other errors stick to the decoder.
func valueError(err error) *attr.ValueError {
	var bad *attr.ValueError
	if errors.As(err, &bad) {
		return bad
	}
	return nil
}

// Expressions are the placeholders of a request's expressions. A nil map is an absent one: an empty map is something else
// to the service.
type Expressions struct {
	Names  map[string]string
	Values map[string]attr.Value
	// Bad is why the value of the placeholder BadKey is not one that DynamoDB takes, or nil.
	Bad    *attr.ValueError
	BadKey string
}

// member reads the member of the name if it is one of the placeholders' maps.
func (e *Expressions) member(r *request, name []byte) {
	switch string(name) {
	case "ExpressionAttributeNames":
		e.Names = r.names()
	case "ExpressionAttributeValues":
		if r.Null() {
			return
		}
		e.Values = map[string]attr.Value{}
		for key := range r.Entries("AttributeValue") {
			k := string(key)
			v, err := r.Value()
			if bad := valueError(err); bad != nil && e.Bad == nil {
				e.Bad, e.BadKey = bad, k
			}
			e.Values[k] = v
		}
	}
}

// names reads placeholders of names; nil if the member is null.
func (r *request) names() map[string]string {
	if r.Null() {
		return nil
	}
	names := map[string]string{}
	for key := range r.Entries("java.lang.String") {
		k := string(key)
		names[k] = r.Text()
	}
	return names
}

func (e *Expressions) append(o *object) {
	if e.Names != nil {
		o.key("ExpressionAttributeNames")
		o.nested(func(o *object) {
			for _, k := range sortedKeys(e.Names) {
				o.text(k, e.Names[k])
			}
		})
	}
	if e.Values != nil {
		o.key("ExpressionAttributeValues")
		o.nested(func(o *object) {
			for _, k := range sortedKeys(e.Values) {
				o.key(k)
				o.dst = attr.AppendValue(o.dst, e.Values[k])
			}
		})
	}
}

// Condition is what makes a write depend on the item as it is stored.
type Condition struct {
	ConditionExpression *string
	Expressions         Expressions
	// ReturnOnFailure is ReturnValuesOnConditionCheckFailure: "ALL_OLD", "NONE" or empty.
	ReturnOnFailure string

	returnOnFailure text
}

func (c *Condition) member(r *request, name []byte) {
	switch string(name) {
	case "ConditionExpression":
		c.ConditionExpression = r.textPointer()
	case "ReturnValuesOnConditionCheckFailure":
		c.returnOnFailure = r.text()
	default:
		c.Expressions.member(r, name)
	}
}

func (c *Condition) check(r *request, path string) {
	c.ReturnOnFailure = r.enum(path, c.returnOnFailure, wordsReturnOnFailure)
}

func (c *Condition) append(o *object) {
	o.optional("ConditionExpression", c.ConditionExpression)
	o.word("ReturnValuesOnConditionCheckFailure", c.ReturnOnFailure)
	c.Expressions.append(o)
}
