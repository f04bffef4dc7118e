package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/wire"
)

// checkCreate checks a table's definition, in the service's order: that of dynalite's catalogue of AWS, as far as it goes. A
// key's definitions come before its names, these before its types; each index is checked whole before the next one.
func checkCreate(in *wire.CreateTableInput) *wire.Error {
	if len(in.Unread) > 0 {
		return unsupported(in.Unread)
	}
	if err := checkDefinitions(in.Attributes); err != nil {
		return err
	}
	if err := checkTableKey(in.Key, in.Attributes); err != nil {
		return err
	}
	if in.Local != nil {
		if err := checkLocal(in); err != nil {
			return err
		}
	}
	if in.Global != nil {
		if err := checkGlobal(in); err != nil {
			return err
		}
	}
	if err := checkIndexLimits(in); err != nil {
		return err
	}
	if err := checkUsed(in); err != nil {
		return err
	}
	if s := in.Stream; s != nil && !s.Enabled && s.View != "" {
		return wire.Invalid(inv + "Table is being created with a stream disabled, UpdateViewType should not be specified")
	}
	if s := in.Stream; s != nil && s.Enabled && s.View == "" {
		return wire.Invalid(inv + "Table is being created with a stream enabled, UpdateViewType is required")
	}
	if err := checkEncryption(in.SSE); err != nil {
		return err
	}
	if err := checkTags(in.Tags); err != nil {
		return err
	}
	return checkTagCount(in.Tags)
}

func checkDefinitions(l []wire.AttributeDefinition) *wire.Error {
	for i, a := range l {
		for _, b := range l[:i] {
			if a.Name == b.Name {
				return wire.Invalid("Attribute Name is duplicated: " + a.Name)
			}
		}
	}
	return nil
}

// undefined are the key's attributes without a definition.
func undefined(key []wire.KeyElement, l []wire.AttributeDefinition) (names []string) {
	for _, k := range key {
		if !slices.ContainsFunc(l, func(a wire.AttributeDefinition) bool { return a.Name == k.Name }) {
			names = append(names, k.Name)
		}
	}
	return names
}

func definedNames(l []wire.AttributeDefinition) string {
	names := make([]string, len(l))
	for i, a := range l {
		names[i] = a.Name
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// checkDefined refuses a key with an attribute that has no definition, and tells the whole key.
func checkDefined(key []wire.KeyElement, l []wire.AttributeDefinition) *wire.Error {
	if len(undefined(key, l)) == 0 {
		return nil
	}
	names := make([]string, len(key))
	for i, k := range key {
		names[i] = k.Name
	}
	return wire.Invalid(inv + "Some index key attributes are not defined in AttributeDefinitions. Keys: [" +
		strings.Join(names, ", ") + "], AttributeDefinitions: " + definedNames(l))
}

func checkTableKey(key []wire.KeyElement, l []wire.AttributeDefinition) *wire.Error {
	switch {
	case len(key) > 2:
		return wire.Invalid("1 validation error detected: Value '" + javaKey(key) +
			"' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2")
	case len(key) > len(l): // seen on AWS, 2019-07 (aws-cloudformation/cfn-lint, issue 1037)
		return wire.Invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	if err := checkDefined(key, l); err != nil {
		return err
	}
	switch {
	case len(key) == 2 && key[0].Name == key[1].Name:
		return wire.Invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	case key[0].Type != "HASH":
		return wire.Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(key) == 2 && key[1].Type != "RANGE":
		return wire.Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

// javaKey shows a key as the service's messages do.
func javaKey(key []wire.KeyElement) string {
	parts := make([]string, len(key))
	for i, k := range key {
		parts[i] = "KeySchemaElement(attributeName=" + k.Name + ", keyType=" + k.Type + ")"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func checkLocal(in *wire.CreateTableInput) *wire.Error {
	if len(in.Local) == 0 {
		return wire.Invalid(inv + "List of LocalSecondaryIndexes is empty")
	}
	if len(in.Key) < 2 {
		return wire.Invalid(inv + "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	}
	for i := range in.Local {
		x := &in.Local[i]
		if err := checkTableKey(x.Key, in.Attributes); err != nil {
			return err
		}
		switch {
		case len(x.Key) < 2:
			return wire.Invalid(inv + "Index KeySchema does not have a range key for index: " + x.Name)
		case x.Key[0].Name != in.Key[0].Name:
			return wire.Invalid(inv + "Index KeySchema does not have the same leading hash key as table KeySchema for index: " + x.Name +
				". index hash key: " + x.Key[0].Name + ", table hash key: " + in.Key[0].Name)
		}
		if err := checkProjection(x); err != nil {
			return err
		}
		if err := checkIndexName(x, in.Local[:i]); err != nil {
			return err
		}
	}
	if len(in.Local) > capacity.LocalIndexes {
		return wire.Invalid(inv + "Number of LocalSecondaryIndexes exceeds per-table limit of " + strconv.Itoa(capacity.LocalIndexes))
	}
	return nil
}

func checkGlobal(in *wire.CreateTableInput) *wire.Error {
	if len(in.Global) == 0 {
		return wire.Invalid(inv + "List of GlobalSecondaryIndexes is empty")
	}
	for i := range in.Global {
		x := &in.Global[i]
		if err := checkGlobalIndex(x, in.Attributes, in.BillingMode, false); err != nil {
			return err
		}
		if err := checkIndexName(x, slices.Concat(in.Local, in.Global[:i])); err != nil {
			return err
		}
	}
	return nil
}

// checkGlobalIndex checks a global index by itself: up to four attributes of each role, HASH before RANGE.
func checkGlobalIndex(x *wire.Index, l []wire.AttributeDefinition, mode string, update bool) *wire.Error {
	if err := checkDefined(x.Key, l); err != nil {
		return err
	}
	hash, sort := 0, 0
	for i, k := range x.Key {
		for _, other := range x.Key[:i] {
			if other.Name == k.Name {
				if len(x.Key) == 2 {
					return wire.Invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
				}
				return wire.Invalid("Two keys can not have the same name")
			}
		}
		if k.Type != "HASH" {
			sort++
			continue
		}
		if sort > 0 && hash > 0 {
			return wire.Invalid("All HASH key attributes must precede RANGE key attributes in the KeySchema")
		}
		hash++
	}
	switch {
	case len(x.Key) == 0 || x.Key[0].Type != "HASH":
		return wire.Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case hash > capacity.IndexPartitionKeyParts:
		return wire.Invalid("The KeySchema exceeds the maximum allowed number of HASH key attributes")
	case sort > capacity.IndexSortKeyParts:
		return wire.Invalid("The KeySchema exceeds the maximum allowed number of RANGE key attributes")
	}
	if err := checkProjection(x); err != nil {
		return err
	}
	return checkIndexCapacity(x, mode, update)
}

// checkIndexName refuses a name that an index before has.
func checkIndexName(x *wire.Index, before []wire.Index) *wire.Error {
	if slices.ContainsFunc(before, func(y wire.Index) bool { return y.Name == x.Name }) {
		return wire.Invalid(inv + "Duplicate index name: " + x.Name)
	}
	return nil
}

// checkProjection checks what an index holds besides keys.
func checkProjection(x *wire.Index) *wire.Error {
	p := x.Projection
	for i, name := range p.NonKey {
		if slices.Contains(p.NonKey[:i], name) {
			return wire.Invalid(inv + "Duplicate element in NonKeyAttributes: " + name)
		}
	}
	switch {
	case p.Type == "":
		return wire.Invalid(inv + "Unknown ProjectionType: null")
	case p.Type == "INCLUDE" && p.NonKey == nil:
		return wire.Invalid(inv + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	case p.Type != "INCLUDE" && p.NonKey != nil:
		return wire.Invalid(inv + "ProjectionType is " + p.Type + ", but NonKeyAttributes is specified")
	}
	return nil
}

// checkIndexLimits holds the global indexes of a table and the attributes that all of its indexes include to their limits
// (ServiceQuotas), when it is created and when it is updated.
func checkIndexLimits(table *wire.CreateTableInput) *wire.Error {
	if len(table.Global) > capacity.GlobalIndexes {
		return wire.Invalid(inv + "GlobalSecondaryIndex count exceeds the per-table limit of " + strconv.Itoa(capacity.GlobalIndexes))
	}
	n := 0
	for _, x := range slices.Concat(table.Local, table.Global) {
		n += len(x.Projection.NonKey)
	}
	if n > capacity.ProjectedAttributes {
		return wire.Invalid(inv + "Number of projected attributes in all indexes exceeds the limit of " + strconv.Itoa(capacity.ProjectedAttributes))
	}
	return nil
}

// checkUsed refuses definitions of attributes that no key has.
func checkUsed(in *wire.CreateTableInput) *wire.Error {
	used := usedNames(in)
	if len(used) == len(in.Attributes) {
		return nil
	}
	if in.Local == nil && in.Global == nil {
		return wire.Invalid(inv + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	return wire.Invalid(inv + "Some AttributeDefinitions are not used. AttributeDefinitions: " + definedNames(in.Attributes) +
		", keys used: [" + strings.Join(used, ", ") + "]")
}

// usedNames are the attributes that are part of a key, in the order of their definitions.
func usedNames(in *wire.CreateTableInput) (used []string) {
	keys := slices.Clone(in.Key)
	for _, x := range slices.Concat(in.Local, in.Global) {
		keys = append(keys, x.Key...)
	}
	for _, a := range in.Attributes {
		if slices.ContainsFunc(keys, func(k wire.KeyElement) bool { return k.Name == a.Name }) {
			used = append(used, a.Name)
		}
	}
	return used
}
