package ledger

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Answer is what a server says to a request, in a form in which equal things are equal: see [NewAnswer].
type Answer struct {
	Status int
	Body   any    // JSON as maps, lists, strings and float64; without the error's own code and message
	Failed string // code and message of an error, "ValidationException: …"; "": it has succeeded
}

// NewAnswer reads an answer. Sets and other lists without an order are sorted, members of which each server has its own
// (times, identities) are left out, and capacity that is told in parts is told in parts only.
func NewAnswer(status int, body []byte) Answer {
	a := Answer{Status: status}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(&a.Body)
	m, isObject := a.Body.(map[string]any)
	switch {
	case err != nil || !isObject:
		a.Failed, a.Body = "HTTP "+strconv.Itoa(status)+": the answer is not DynamoDB's", map[string]any{}
	case status != 200:
		a.Failed = failure(m)
	}
	a.Body = normal(a.Body)
	return a
}

// Text is a value as JSON; the members of objects stand in the order of their names.
func Text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // requests and answers are JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Number is the number in a JSON number or text; 0 without one.
func Number(v any) float64 {
	f, _ := strconv.ParseFloat(strings.Trim(Text(v), `"`), 64)
	return f
}

// numbers are the numbers in a value's JSON, which may be written in several ways.
var numbers = regexp.MustCompile(`"N":"([^"]*)"`)

// Sort sorts a list by its members' JSON, in which equal numbers count as equal; what is no list stays.
func Sort(v any) {
	l, ok := v.([]any)
	if !ok {
		return
	}
	texts := make(map[int]string, len(l))
	order := make([]int, len(l))
	for i := range l {
		texts[i] = numbers.ReplaceAllStringFunc(Text(l[i]), func(n string) string {
			return strconv.FormatFloat(Number(numbers.FindStringSubmatch(n)[1]), 'g', -1, 64)
		})
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return texts[order[i]] < texts[order[j]] })
	sorted := make([]any, len(l))
	for i, from := range order {
		sorted[i] = l[from]
	}
	copy(l, sorted)
}

// listed are the lists inside of messages whose order is that of a hash table in one server, and of names in the other.
var listed = regexp.MustCompile(`(keys|valid types|operand type): \{[^}]*\}|(project|attributes:) \[[^\]]*\]`)

// failure takes code and message out of an error's body.
func failure(body map[string]any) string {
	code, _ := body["__type"].(string)
	message, ok := body["message"].(string)
	if !ok {
		message, _ = body["Message"].(string)
	}
	for _, name := range []string{"__type", "message", "Message"} {
		delete(body, name)
	}
	return code[strings.LastIndexByte(code, '#')+1:] + ": " + listed.ReplaceAllStringFunc(message, func(s string) string {
		open := strings.IndexAny(s, "{[")
		words := strings.FieldsFunc(s[open+1:len(s)-1], func(r rune) bool { return r == ',' || r == ' ' })
		slices.Sort(words)
		return s[:open+1] + strings.Join(words, ", ") + s[len(s)-1:]
	})
}

func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			switch k {
			case "CreationDateTime", "LastUpdateToPayPerRequestDateTime", "TableArn", "IndexArn", "TableId",
				"LatestStreamArn", "LatestStreamLabel", "LastIncreaseDateTime", "LastDecreaseDateTime":
				if _, isValue := m.(map[string]any); !isValue { // an attribute may have that name
					delete(v, k)
					continue
				}
			case "NS": // "1" and "1.0" may stand anywhere
				if l, ok := m.([]any); ok {
					sort.Slice(l, func(i, j int) bool { return Number(l[i]) < Number(l[j]) })
				}
			case "ConsumedCapacity":
				parts(m)
			case "SS", "BS", "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes", "NonKeyAttributes":
				Sort(m)
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

// parts takes the sum out of a consumed capacity that has the parts, so that a difference in one part is told once:
// what is left of it must be 0 on both sides.
func parts(consumed any) {
	l, ok := consumed.([]any)
	if !ok {
		l = []any{consumed}
	} else {
		sort.Slice(l, func(i, j int) bool { return tableOf(l[i]) < tableOf(l[j]) })
	}
	for _, c := range l {
		m, _ := c.(map[string]any)
		table, ok := m["Table"].(map[string]any)
		if !ok {
			continue
		}
		for _, unit := range []string{"CapacityUnits", "ReadCapacityUnits", "WriteCapacityUnits"} {
			if m[unit] == nil {
				continue
			}
			rest := Number(m[unit]) - Number(table[unit])
			for _, kind := range []string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
				indexes, _ := m[kind].(map[string]any)
				for _, x := range indexes {
					if part, ok := x.(map[string]any); ok {
						rest -= Number(part[unit])
					}
				}
			}
			delete(m, unit)
			m[unit+" less the parts"] = rest
		}
	}
}

func tableOf(consumed any) string {
	m, _ := consumed.(map[string]any)
	return Text(m["TableName"])
}
