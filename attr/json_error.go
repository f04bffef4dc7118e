package attr

import "strconv"

// A SyntaxError says that a text is not JSON (or not UTF-8). The service answers a SerializationException without text.
type SyntaxError struct {
	Offset int    // in bytes, of what was not expected
	Reason string // what is wrong, for people
}

// Error tells the reason and the place.
func (e *SyntaxError) Error() string {
	return "not JSON at offset " + strconv.Itoa(e.Offset) + ": " + e.Reason
}

// A TypeError says that a JSON value has another type than is asked for at its place. The service answers a
// SerializationException with Message as its text.
type TypeError struct {
	Offset  int    // in bytes, of the value
	Message string // the service's text
}

// Error tells the service's text and the place.
func (e *TypeError) Error() string {
	return e.Message + " (at offset " + strconv.Itoa(e.Offset) + ")"
}

// A Check is one of the checks that an attribute value in a request goes through after its form was found right. The
// service has two wordings of some: whether "1 validation error detected: " stands before the message depends on check
// and operation, so that callers need to know which one failed.
type Check uint8

// The checks, in no order.
const (
	CheckNumber   Check = iota + 1 // a number is malformed, too long or out of range
	CheckNoType                    // no type given: {} or an unknown letter
	CheckManyType                  // more than one type given
	CheckEmptySet                  // a set without elements, or with one that is null
	CheckSetTwice                  // a set with an element twice
	CheckNull                      // {"NULL": false}
	CheckDepth                     // nested beyond what is read at all; see MaxDepth for the limit of stored values
	CheckName                      // an attribute, or a field of a map, whose name is empty
)

// String says what is wrong, without the value.
func (c Check) String() string {
	switch c {
	case CheckNumber:
		return "a number that is malformed, too long or out of range"
	case CheckNoType:
		return "a value without a type"
	case CheckManyType:
		return "a value with more than one type"
	case CheckEmptySet:
		return "a set without elements, or with a null"
	case CheckSetTwice:
		return "a set with an element twice"
	case CheckNull:
		return "a NULL that is not true"
	case CheckDepth:
		return "a value nested too deep to be read"
	case CheckName:
		return "an empty attribute name"
	}
	return "unknown check"
}

// A ValueError says why a value of the right form is not one that DynamoDB takes.
type ValueError struct {
	Check   Check
	Message string // the service's text, in its bare form
	Err     error  // the *NumberError of a CheckNumber; nil for others
}

// Error is the service's text.
func (e *ValueError) Error() string { return e.Message }

// Unwrap is the *NumberError of a CheckNumber; nil for others.
func (e *ValueError) Unwrap() error { return e.Err }
