package expr

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/tablewright/tablewright/attr"
)

// Limits from the page Constraints of the developer guide; DynamoDB Local applies the last to names and values apart.
const (
	maxPlaceholder   = 255     // bytes of a placeholder, # or : included
	maxName          = 65_535  // bytes of an attribute name
	maxSubstitutions = 2 << 20 // bytes of all names or values, with their placeholders
)

// Substitutions are the ExpressionAttributeNames and ExpressionAttributeValues of one request, shared by all its
// expressions. They remember which placeholders were used, so they are not safe for concurrent use; what was parsed with
// them is.
type Substitutions struct {
	names      map[string]string
	values     map[string]attr.Value
	usedNames  map[string]struct{}
	usedValues map[string]struct{}
}

// NewSubstitutions wraps the two maps of a request, whose keys are placeholders with their # or :. A map is nil where the
// request has none: an empty one is an error that Check reports. The maps must not change afterwards. A nil *Substitutions
// is one without names and values.
func NewSubstitutions(names map[string]string, values map[string]attr.Value) *Substitutions {
	return &Substitutions{names: names, values: values}
}

// name is the attribute name behind a placeholder, which counts as used from now on.
func (s *Substitutions) name(ref string) (string, bool) {
	if s == nil {
		return "", false
	}
	name, ok := s.names[ref]
	if ok {
		if s.usedNames == nil {
			s.usedNames = make(map[string]struct{}, len(s.names))
		}
		s.usedNames[ref] = struct{}{}
	}
	return name, ok
}

// value is the value behind a placeholder, which counts as used from now on.
func (s *Substitutions) value(ref string) (attr.Value, bool) {
	if s == nil {
		return attr.Value{}, false
	}
	v, ok := s.values[ref]
	if ok {
		if s.usedValues == nil {
			s.usedValues = make(map[string]struct{}, len(s.values))
		}
		s.usedValues[ref] = struct{}{}
	}
	return v, ok
}

// Check validates the maps themselves, before any expression is read: that they are not empty, then names, then values. Of
// several bad entries the error is about the least. Values are taken to be good ones. Errors are *Error.
func (s *Substitutions) Check() error {
	switch {
	case s == nil:
		return nil
	case s.names != nil && len(s.names) == 0:
		return RuleNamesEmpty.fail(0)
	case s.values != nil && len(s.values) == 0:
		return RuleValuesEmpty.fail(0)
	}
	if err := checkEntries(s.names, checkName); err != nil {
		return err
	}
	if err := checkEntries(s.values, checkValue); err != nil {
		return err
	}
	size := 0
	for key, name := range s.names {
		size += len(key) + len(name)
	}
	if size > maxSubstitutions {
		return RuleNamesSize.fail(0)
	}
	size = 0
	for key, v := range s.values {
		size += len(key) + v.Size()
	}
	if size > maxSubstitutions {
		return RuleValuesSize.fail(0)
	}
	return nil
}

// checkEntries is the error of the least key whose entry has one.
func checkEntries[V any](m map[string]V, check func(key string, v V) *Error) *Error {
	var first *Error
	var least string
	for key, v := range m {
		if err := check(key, v); err != nil && (first == nil || key < least) {
			first, least = err, key
		}
	}
	return first
}

func checkName(key, name string) *Error {
	switch {
	case key == "":
		return RuleNameKeyEmpty.fail(0)
	case len(key) > maxPlaceholder:
		return RuleNameKeyLong.fail(0, len(key))
	case !isPlaceholder(key, '#'):
		return RuleNameSyntax.fail(0, key)
	case name == "":
		return RuleNameEmpty.fail(0, key)
	case len(name) > maxName:
		return RuleNameLong.fail(0, key)
	}
	return nil
}

func checkValue(key string, _ attr.Value) *Error {
	switch {
	case key == "":
		return RuleValueKeyEmpty.fail(0)
	case len(key) > maxPlaceholder:
		return RuleValueKeyLong.fail(0)
	case !isPlaceholder(key, ':'):
		return RuleValueSyntax.fail(0, key)
	}
	return nil
}

// Unspecified is the error for a request that has substitutions but none of the expressions it could have; it is nil if
// there are no substitutions. kinds are the expressions that can have values, in the order in which the service lists them:
// Update and Condition for UpdateItem, Filter and KeyCondition for Query, one kind for the others.
func (s *Substitutions) Unspecified(kinds ...Kind) error {
	if s == nil {
		return nil
	}
	if s.names != nil {
		return RuleNamesUnspecified.fail(0)
	}
	if s.values == nil {
		return nil
	}
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	verb := " is"
	if len(kinds) > 1 {
		verb = " are"
	}
	return RuleValuesUnspecified.fail(0, strings.Join(names, " and ")+verb)
}

// Unused is the error for placeholders that no expression used: names before values. Call it after all expressions of the
// request are parsed. Errors are *Error.
func (s *Substitutions) Unused() error {
	if s == nil {
		return nil
	}
	if len(s.usedNames) < len(s.names) {
		return RuleNamesUnused.fail(0, unused(s.names, s.usedNames))
	}
	if len(s.usedValues) < len(s.values) {
		return RuleValuesUnused.fail(0, unused(s.values, s.usedValues))
	}
	return nil
}

// unused lists the keys of m that are not used. The service prints a Java hash set; so do we, that the messages are equal
// and do not change from call to call.
func unused[V any](m map[string]V, used map[string]struct{}) string {
	var keys []string
	for key := range m {
		if _, ok := used[key]; !ok {
			keys = append(keys, key)
		}
	}
	buckets := uint32(16)
	for float64(len(keys)) > 0.75*float64(buckets) {
		buckets *= 2
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(javaHash(a)%buckets, javaHash(b)%buckets), cmp.Compare(a, b))
	})
	return strings.Join(keys, ", ")
}

// javaHash is where a Java hash map looks for a string: its hashCode, upper half mixed into the lower.
func javaHash(s string) (h uint32) {
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(unit)
	}
	return h ^ h>>16
}
