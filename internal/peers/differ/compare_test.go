package differ_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/wire"
)

// A difference is a place in an answer, and what each side has there: the text of a JSON value, or "-" for nothing.
type difference struct {
	operation string
	at        string // "error", "status", or the path of a member, without the positions in lists: "Items[].a.N"
	ours      string
	theirs    string
}

func (d difference) String() string {
	return fmt.Sprintf("%s at %s\n  ours   %s\n  theirs %s", d.operation, d.at, d.ours, d.theirs)
}

// An answer is what one side says to a request.
type answer struct {
	status int
	body   any
	failed *wire.Error // nil: it has not
}

func newAnswer(status int, body []byte) answer {
	a := answer{status: status}
	if status != 200 {
		a.failed = wire.DecodeError(status, body)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&a.body); err != nil {
		a.body = map[string]any{}
	}
	a.body = normal(a.body)
	return a
}

// text is a value as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // requests and answers are JSON
	}
	return string(b)
}

// normal makes equal what is equal: sets in another order, numbers of capacity written as 1 and 1.0. What differs from
// run to run is left out.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			switch k {
			case "CreationDateTime", "LastUpdateToPayPerRequestDateTime", "TableArn", "IndexArn", "TableId", "__type", "message", "Message":
				if _, isValue := m.(map[string]any); !isValue { // an attribute may have that name
					delete(v, k)
					continue
				}
			case "NS": // numbers in sets: "1" and "1.0" may stand anywhere
				if l, ok := m.([]any); ok {
					sort.Slice(l, func(i, j int) bool { return number(l[i]) < number(l[j]) })
				}
			case "ConsumedCapacity":
				arms(m)
			case "SS", "BS", "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes", "NonKeyAttributes":
				sortList(m)
			}
			v[k] = normal(m)
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case json.Number:
		f, _ := v.Float64()
		return f
	}
	return v
}

// arms takes the sum out of a consumed capacity that has the parts, so that a difference in one part is told once:
// what is left of it must be 0 on both sides.
func arms(consumed any) {
	l, ok := consumed.([]any)
	if !ok {
		l = []any{consumed}
	} else {
		sort.Slice(l, func(i, j int) bool {
			return text(l[i].(map[string]any)["TableName"]) < text(l[j].(map[string]any)["TableName"])
		})
	}
	for _, c := range l {
		m := c.(map[string]any)
		table, ok := m["Table"].(map[string]any)
		if !ok {
			continue
		}
		for _, unit := range []string{"CapacityUnits", "ReadCapacityUnits", "WriteCapacityUnits"} {
			if m[unit] == nil {
				continue
			}
			rest := number(m[unit]) - number(table[unit])
			for _, kind := range []string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
				indexes, _ := m[kind].(map[string]any)
				for _, x := range indexes {
					rest -= number(x.(map[string]any)[unit])
				}
			}
			delete(m, unit)
			m[unit+" less the parts"] = rest
		}
	}
}

// number is the number in a JSON number or text; 0 without one.
func number(v any) float64 {
	f, _ := strconv.ParseFloat(strings.Trim(text(v), `"`), 64)
	return f
}

func sortList(v any) {
	if l, ok := v.([]any); ok {
		sort.Slice(l, func(i, j int) bool { return text(l[i]) < text(l[j]) })
	}
}

// listed are the lists inside of messages whose order is that of a hash table in one side, and of names in the other.
var listed = regexp.MustCompile(`(keys|valid types|operand type): \{[^}]*\}|(project|attributes:) \[[^\]]*\]`)

func message(e *wire.Error) string {
	return e.Code + ": " + listed.ReplaceAllStringFunc(e.Message, func(s string) string {
		open := strings.IndexAny(s, "{[")
		words := strings.FieldsFunc(s[open+1:len(s)-1], func(r rune) bool { return r == ',' || r == ' ' })
		slices.Sort(words)
		return s[:open+1] + strings.Join(words, ", ") + s[len(s)-1:]
	})
}

// compare lists what differs between two answers.
func compare(operation string, ours, theirs answer) []difference {
	var found []difference
	add := func(at, a, b string) { found = append(found, difference{operation, at, a, b}) }
	if ours.failed != nil || theirs.failed != nil {
		say := func(a answer) string {
			if a.failed == nil {
				return "-"
			}
			return message(a.failed)
		}
		if a, b := say(ours), say(theirs); a != b {
			add("error", a, b)
			return found
		}
		if ours.status != theirs.status {
			add("status", fmt.Sprint(ours.status), fmt.Sprint(theirs.status))
		}
		// Messages inside of the reasons count; the error's own was compared above.
		reasons(ours)
		reasons(theirs)
	}
	walk("", ours.body, theirs.body, add)
	return found
}

// reasons puts the messages of a cancelled transaction's reasons, which normal has taken for the error's, back.
func reasons(a answer) {
	body, _ := a.body.(map[string]any)
	l, _ := body["CancellationReasons"].([]any)
	for i, r := range a.failed.Reasons {
		if m, ok := l[i].(map[string]any); ok && r.Message != "" {
			m["Message"] = r.Message
		}
	}
}

func walk(at string, ours, theirs any, add func(at, ours, theirs string)) {
	if reflect.DeepEqual(ours, theirs) {
		return
	}
	a, aMap := ours.(map[string]any)
	b, bMap := theirs.(map[string]any)
	if aMap && bMap {
		names := sortedKeys(a)
		for name := range b {
			if _, both := a[name]; !both {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			x, inA := a[name]
			y, inB := b[name]
			path := strings.TrimPrefix(at+"."+name, ".")
			switch {
			case !inA:
				add(path, "-", text(y))
			case !inB:
				add(path, text(x), "-")
			default:
				walk(path, x, y, add)
			}
		}
		return
	}
	l, aList := ours.([]any)
	m, bList := theirs.([]any)
	if aList && bList && len(l) == len(m) {
		for i := range l {
			walk(at+"[]", l[i], m[i], add)
		}
		return
	}
	add(at, text(ours), text(theirs))
}
