package wire

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// request reads a body and collects what the service checks of its members before it looks at their meaning.
type request struct {
	*attr.Decoder
	violations []string
	alone      *Error // what is reported alone, before the violations
}

var requests = sync.Pool{New: func() any { return &request{Decoder: attr.NewDecoder(nil)} }}

// read begins reading a body; every read ends with finish.
func read(body []byte) *request {
	r := requests.Get().(*request)
	r.Reset(body)
	return r
}

// finish tells what is wrong with the body, after check has looked at what was read; it is not called for a body that
// could not be read. The request must not be used afterwards.
func (r *request) finish(check func()) error {
	err := r.End()
	if err == nil && check != nil {
		check()
	}
	violations, alone := r.violations, r.alone
	r.Reset(nil)
	r.violations, r.alone = nil, nil
	requests.Put(r)
	if err != nil {
		var t *attr.TypeError
		if errors.As(err, &t) {
			return &Error{Code: CodeSerialization, Message: t.Message}
		}
		return &Error{Code: CodeSerialization}
	}
	if alone != nil {
		return alone
	}
	if len(violations) > 0 {
		return violated(violations)
	}
	return nil
}

// generic refuses what is neither null nor of the type, where the service has a list in a map or a map in a list: its decoder
// stumbles over them (captured on AWS by the authors of dynoxide, 2026).
func (r *request) generic(want attr.JSONType) {
	switch r.Next() {
	case want, attr.JSONNull, attr.NoJSON:
	default:
		r.Refuse("class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
			"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')")
	}
}

// violated is the answer that tells all violations of constraints at once.
func violated(violations []string) *Error {
	s := "s"
	if len(violations) == 1 {
		s = ""
	}
	return Invalid(strconv.Itoa(len(violations)) + " validation error" + s + " detected: " + strings.Join(violations, "; "))
}

// text is a string member that may be absent.
type text struct {
	s   string
	set bool
}

func (r *request) text() text {
	if r.Null() {
		return text{}
	}
	return text{r.Text(), true}
}

// given reads a string member of which an empty one is refused later: empty tells that it is there.
func (r *request) given() (s string, empty bool) {
	t := r.text()
	return t.s, t.set && t.s == ""
}

// textPointer reads a string member of which absent and empty differ to the service's later checks.
func (r *request) textPointer() *string {
	if r.Null() {
		return nil
	}
	s := r.Text()
	return &s
}

func (r *request) intPointer() *int {
	if r.Null() {
		return nil
	}
	n := r.Int()
	return &n
}

func (r *request) longPointer() *int64 {
	if r.Null() {
		return nil
	}
	n := r.Long()
	return &n
}

func (r *request) boolPointer() *bool {
	if r.Null() {
		return nil
	}
	b := r.Bool()
	return &b
}

// maxViolations is how many violations are told at most (catalogued on AWS by the authors of dynalite).
const maxViolations = 10

// violate notes that the value at path breaks a constraint; value is as the service shows it, empty where it does not.
func (r *request) violate(value, path, constraint string) {
	if len(r.violations) == maxViolations {
		return
	}
	if value != "" {
		value += " "
	}
	r.violations = append(r.violations, "Value "+value+"at '"+path+"' failed to satisfy constraint: "+constraint)
}

func (r *request) require(path string, present bool) {
	if !present {
		r.violate("null", path, "Member must not be null")
	}
}

// enum holds a text to a set of words, printed as the service prints them: "[SIZE, NONE]".
func (r *request) enum(path string, t text, words string) string {
	if t.set && !inWords(t.s, words) {
		r.violate("'"+t.s+"'", path, "Member must satisfy enum value set: "+words)
	}
	return t.s
}

func inWords(s, words string) bool {
	for w := range strings.SplitSeq(words[1:len(words)-1], ", ") {
		if w == s {
			return true
		}
	}
	return false
}

// length holds the length n of what is shown as value to low…high.
func (r *request) length(path, value string, n, low, high int) {
	if n < low {
		r.violate(value, path, "Member must have length greater than or equal to "+strconv.Itoa(low))
	}
	if n > high {
		r.violate(value, path, "Member must have length less than or equal to "+strconv.Itoa(high))
	}
}

// within holds a number to low…high; high 0 is no bound.
func (r *request) within(path string, n *int, low, high int) {
	switch {
	case n == nil:
	case *n < low:
		r.violate("'"+strconv.Itoa(*n)+"'", path, "Member must have value greater than or equal to "+strconv.Itoa(low))
	case high > 0 && *n > high:
		r.violate("'"+strconv.Itoa(*n)+"'", path, "Member must have value less than or equal to "+strconv.Itoa(high))
	}
}

// What a name of a table or index may have in bytes, which are characters in it.
const (
	shortestName = int(capacity.TableNameBytesLeast)
	longestName  = int(capacity.TableNameBytes)
)

// namePattern reports whether a name of a table or index consists of what it may, [a-zA-Z0-9_.-]+; every request asks.
func namePattern(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return name != ""
}

// tableARN is the form in which a table's ARN may stand for its name.
var tableARN = regexp.MustCompile(`^arn:[a-z-]+:dynamodb:[a-z0-9-]+:[0-9]+:table/([a-zA-Z0-9_.-]+)$`)

// table checks the table's name in an operation on items. A name that cannot be one is reported alone; names shorter
// than tables have are left to the look-up (captured on AWS).
func (r *request) table(path string, t text) string {
	if !t.set {
		r.require(path, false)
		return ""
	}
	if err := tableName(path, t.s); err != nil && r.alone == nil {
		r.alone = err
	}
	return t.s
}

func tableName(path, name string) *Error {
	ok := len(name) > 0 && len(name) <= longestName && namePattern(name)
	if ok || tableARN.MatchString(name) {
		return nil
	}
	var r request
	r.length(path, "'"+name+"'", len(name), 1, longestName)
	if len(name) > 0 && !namePattern(name) {
		r.violate("'"+name+"'", path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	return violated(r.violations)
}

// index checks an index's name.
func (r *request) index(path string, t text) *string {
	if !t.set {
		return nil
	}
	r.length(path, "'"+t.s+"'", len(t.s), shortestName, longestName)
	r.pattern(path, t.s)
	return &t.s
}

// pattern holds a name to the characters that names may have.
func (r *request) pattern(path, name string) {
	if !namePattern(name) {
		r.violate("'"+name+"'", path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
}

// Words of enumerations, in the order in which the service lists them.
const (
	wordsReturnConsumedCapacity = "[INDEXES, TOTAL, NONE]"
	wordsReturnMetrics          = "[SIZE, NONE]"
	wordsReturnValues           = "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
	wordsReturnOnFailure        = "[ALL_OLD, NONE]"
	wordsSelect                 = "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
)
