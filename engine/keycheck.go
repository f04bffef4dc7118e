package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// What the service checks of keys, once the table is known. Its texts were captured on AWS (2026).

const (
	inv  = "One or more parameter values were invalid: "
	notv = "One or more parameter values are not valid. "
)

var errKeySchema = wire.Invalid("The provided key element does not match the schema")

// Key attributes are checked one after another, each for all that it has to be (DynamoDB Local does so, and emulators that
// are held to AWS).

// checkItemKey checks the table's key attributes in an item to be put.
func (t *table) checkItemKey(it attr.Item) *wire.Error {
	for _, a := range attributesOf(t.key) {
		v := it.Get(a.Name)
		if v.IsZero() {
			return wire.Invalid(inv + "Missing the key " + a.Name + " in the item")
		}
		if v.Kind() != a.Kind {
			return wire.Invalid(inv + "Type mismatch for key " + a.Name + " expected: " + a.Kind.String() + " actual: " + v.Kind().String())
		}
		if err := t.checkKeyValue(a.Name, v); err != nil {
			return err
		}
	}
	return nil
}

// checkKey checks a key: exactly the table's key attributes. It is errKeySchema if they are others.
func (t *table) checkKey(key attr.Item) *wire.Error {
	if key.Len() != len(t.names) {
		return errKeySchema
	}
	return t.checkKeyIn(key)
}

// checkKeyIn checks the key in an item, where a missing attribute is worded like one of another type.
func (t *table) checkKeyIn(it attr.Item) *wire.Error {
	for _, a := range attributesOf(t.key) {
		v := it.Get(a.Name)
		if v.Kind() != a.Kind {
			return errKeySchema
		}
		if err := t.checkKeyValue(a.Name, v); err != nil {
			return err
		}
	}
	return nil
}

// checkKeyValues checks the content of the key attributes.
func (t *table) checkKeyValues(it attr.Item) *wire.Error {
	for _, a := range attributesOf(t.key) {
		if err := t.checkKeyValue(a.Name, it.Get(a.Name)); err != nil {
			return err
		}
	}
	return nil
}

// checkKeyValue checks the content of a key attribute.
func (t *table) checkKeyValue(name string, v attr.Value) *wire.Error {
	if err := emptyKey(v, name); err != nil {
		return err
	}
	hash := name == t.key.Hash[0].Name
	switch size := v.Size(); {
	case hash && size > int(capacity.PartitionKeyBytes):
		return wire.Invalid(inv + "Size of hashkey has exceeded the maximum size limit of2048 bytes")
	case !hash && size > int(capacity.SortKeyBytes):
		return wire.Invalid(inv + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

func emptyKey(v attr.Value, name string) *wire.Error {
	if what := emptyKind(v); what != "" {
		return wire.Invalid(notv + "The AttributeValue for a key attribute cannot contain an empty " + what + " value. Key: " + name)
	}
	return nil
}

// emptyKind is "string" or "binary" for an empty one, else empty.
func emptyKind(v attr.Value) string {
	switch {
	case v.Kind() == attr.KindS && v.Str() == "":
		return "string"
	case v.Kind() == attr.KindB && v.Str() == "":
		return "binary"
	}
	return ""
}

// checkIndexKeys checks the key attributes of indexes in an item to be written. An update is checked only for those that
// it changes (captured on AWS): before is the item as it was, updating that there is one or may be. large is the refusal of what
// is too large, where it is not one that tells what.
func (t *table) checkIndexKeys(before, after attr.Item, updating bool, large *wire.Error) *wire.Error {
	for _, x := range t.indexes {
		if x.kind == expiryIndex {
			continue
		}
		for _, a := range attributesOf(x.key) {
			v := after.Get(a.Name)
			if v.IsZero() || updating && attr.Equal(v, before.Get(a.Name)) {
				continue
			}
			if v.Kind() != a.Kind {
				if updating { // a literal has been checked before
					return wire.Invalid("The update expression attempted to update the secondary index key to unsupported type")
				}
				return x.mismatch(a, v)
			}
			if what := emptyKind(v); what != "" {
				if updating {
					return emptiedKey(what)
				}
				return wire.Invalid(notv + "A value specified for a secondary index key is not supported. " +
					"The AttributeValue for a key attribute cannot contain an empty " + what + " value. IndexName: " + x.name + ", IndexKey: " + a.Name)
			}
		}
		if !updating || changed(before, after, x.key.Hash) {
			if err := x.checkSizes(after, x.key.Hash, "HASH", capacity.IndexPartitionBytes); err != nil {
				return cmp.Or(large, err)
			}
		}
		if !updating || changed(before, after, x.key.Range) {
			if err := x.checkSizes(after, x.key.Range, "RANGE", capacity.IndexSortBytes); err != nil {
				return cmp.Or(large, err)
			}
		}
	}
	return nil
}

// errIndexKeyTooLarge is why an update cancels its transaction (API_TransactWriteItems, reasons of ValidationError).
var errIndexKeyTooLarge = wire.Invalid("The update expression attempted to update the secondary index key beyond allowed size limits")

func changed(before, after attr.Item, part []expr.KeyAttr) bool {
	return slices.ContainsFunc(part, func(a expr.KeyAttr) bool { return !attr.Equal(before.Get(a.Name), after.Get(a.Name)) })
}

func emptiedKey(what string) *wire.Error {
	return wire.Invalid(notv + "The update expression attempted to update a secondary index key to a value that is not supported. " +
		"The AttributeValue for a key attribute cannot contain an empty " + what + " value.")
}

// emptiedIndexKey refuses an update that makes the key attribute of an index empty.
func (t *table) emptiedIndexKey(before, after attr.Item) *wire.Error {
	for _, x := range t.indexes {
		if x.kind == expiryIndex {
			continue
		}
		for _, a := range attributesOf(x.key) {
			v := after.Get(a.Name)
			if what := emptyKind(v); what != "" && v.Kind() == a.Kind && !attr.Equal(v, before.Get(a.Name)) {
				return emptiedKey(what)
			}
		}
	}
	return nil
}

// checkSizes holds each attribute of one role, and all of them together, to their limit (GSI.DesignPattern.MultiAttributeKeys). The
// text about one was captured on AWS, that about several is DynamoDB Local's.
func (x *index) checkSizes(it attr.Item, attributes []expr.KeyAttr, role string, limit capacity.Bytes) *wire.Error {
	size, names := 0, ""
	for i, a := range attributes {
		one := it.Get(a.Name).Size()
		if one > int(limit) {
			return wire.Invalid(fmt.Sprintf(inv+"Size limit exceeded for Index Key %s Actual Size: %d bytes Max Size: %d bytes IndexName: %s",
				a.Name, one, int(limit), x.name))
		}
		size += one
		if i > 0 {
			names += ", "
		}
		names += a.Name
	}
	if size <= int(limit) {
		return nil
	}
	return wire.Invalid(fmt.Sprintf("Aggregate size for %s key attributes %s of index %s has exceeded limit %d bytes, with actual size %d bytes",
		role, names, x.name, int(limit), size))
}

// enterer is an expression that may lead into an attribute.
type enterer interface{ Enters(attribute string) bool }

// checkPaths refuses paths into key attributes of the table and of its indexes, which are scalars (catalogued on AWS by the
// authors of dynalite).
func (t *table) checkPaths(expressions ...enterer) *wire.Error {
	refuse := func(a, role string) *wire.Error {
		for _, x := range expressions {
			if x.Enters(a) {
				return wire.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " + role + ": " + a)
			}
		}
		return nil
	}
	for _, a := range t.names {
		if err := refuse(a, "Key"); err != nil {
			return err
		}
	}
	for _, x := range t.indexes {
		if x.kind == expiryIndex {
			continue
		}
		for _, a := range x.entries.Key {
			if err := refuse(a, "IndexKey"); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLiterals checks the types of index keys that an update writes as they are, which needs no item.
func (t *table) checkLiterals(u *expr.Update) *wire.Error {
	for _, x := range t.indexes {
		if x.kind == expiryIndex {
			continue
		}
		for _, k := range attributesOf(x.key) {
			for i := range u.Actions() {
				a := &u.Actions()[i]
				v, ok := a.Literal()
				if ok && a.Section != expr.DELETE && a.Path.Len() == 1 && a.Path.Attribute() == k.Name && v.Kind() != k.Kind {
					return x.mismatch(k, v)
				}
			}
		}
	}
	return nil
}

// mismatch refuses the value of an index's key attribute for its type.
func (x *index) mismatch(a expr.KeyAttr, v attr.Value) *wire.Error {
	return wire.Invalid(inv + "Type mismatch for Index Key " + a.Name + " Expected: " + a.Kind.String() +
		" Actual: " + v.Kind().String() + " IndexName: " + x.name)
}

func attributesOf(s expr.KeySchema) []expr.KeyAttr {
	if len(s.Range) == 0 {
		return s.Hash
	}
	return append(s.Hash[:len(s.Hash):len(s.Hash)], s.Range...)
}
