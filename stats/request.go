package stats

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// request is the members of a request that matter here, as they stand in its JSON.
type request struct {
	fields                                              []attr.RawField // of the item that is put, or of the key once it was looked for
	item, key                                           json.RawMessage // nil if none is put, or named
	names                                               json.RawMessage // what placeholders of names stand for
	placeholders                                        []attr.RawField // names, once one was looked for
	values                                              json.RawMessage
	condition, filter, keyCondition, update, projection json.RawMessage
	table                                               json.RawMessage
	of                                                  *shapeThen // nil unless it is a statement
	asks                                                Asks
	partAsks                                            Asks // of the parts of a batch or transaction
	resumed                                             bool // goes on where a page ended
	after                                               bool // asks for the whole item as it is then
}

// read reads a request, or the action of a transaction. What was read before is forgotten, its memory used again.
func (r *request) read(k *attr.Skimmer) {
	r.forget()
	for name, ok := k.Member(); ok; name, ok = k.Member() {
		r.member(name, k)
	}
}

// forget makes a request new, with the memory that it has.
func (r *request) forget() { *r = request{fields: r.fields[:0], placeholders: r.placeholders[:0]} }

// member reads a member.
func (r *request) member(name []byte, k *attr.Skimmer) {
	if string(name) == "Item" {
		r.fields, r.item = k.AppendFields(r.fields[:0])
		return
	}
	switch value := k.Value(); string(name) {
	case "TableName":
		r.table = value
	case "Key":
		r.key = value
	case "ExpressionAttributeNames":
		r.names = value
	case "ExpressionAttributeValues":
		r.values = value
	case "ConditionExpression":
		r.condition = value
		r.asks |= Conditional
	case "FilterExpression":
		r.filter = value
		r.asks |= Filtered
	case "KeyConditionExpression":
		r.keyCondition = value
	case "UpdateExpression":
		r.update = value
	case "ProjectionExpression":
		r.projection = value
		r.asks |= Projected
	case "ConsistentRead":
		if string(value) == "true" {
			r.asks |= Consistent
		}
	case "Select":
		if string(value) == `"COUNT"` {
			r.asks |= Counted
		}
	case "Limit":
		r.asks |= Limited
	case "ClientRequestToken":
		r.asks |= Tokened
	case "ExclusiveStartKey", "NextToken":
		r.resumed = string(value) != "null"
	case "ReturnValues":
		if string(value) != `"NONE"` {
			r.asks |= Returned
		}
		r.after = string(value) == `"ALL_NEW"`
	}
}

// known are the attributes of the item or key.
func (r *request) known() []attr.RawField {
	if len(r.fields) == 0 {
		k := attr.Skim(r.key)
		r.fields, _ = k.AppendFields(r.fields)
	}
	return r.fields
}

// valueOf is the value of an attribute, nil if there is none.
func valueOf(fields []attr.RawField, name string) json.RawMessage {
	for i := range fields {
		if fields[i].Named(name) {
			return fields[i].Value
		}
	}
	return nil
}

// sizeOf is the size of an item.
func sizeOf(fields []attr.RawField) (size int) {
	for i := range fields {
		size += fields[i].Size
	}
	return size
}

// naming is how an expression names an attribute.
type naming struct {
	changed bool // by an update
	added   bool // by ADD or DELETE, which reckon with what is there
	bare    bool // without a placeholder
	equal   bool // compared with =, or IN, such that the whole holds only if that does
}

// paths yields the top-level attributes that an expression of the request names, their placeholders replaced. of says what kind it is: Sifted of a
// filter, of which alone it is told what is compared with =, Reckoned of an update, Tested, Keyed or Asked.
func (r *request) paths(expression []byte, of Use, yield func(attribute []byte, n naming)) {
	text := bytes.Trim(expression, `"`)
	if bytes.IndexByte(text, '\\') >= 0 { // as encoding/json writes < and >: a \u003e :b
		var plain string
		if json.Unmarshal(expression, &plain) != nil {
			return
		}
		text = []byte(plain)
	}
	update, filter := of == Reckoned, of == Sifted
	changed, added, depth := false, false, 0
	var outside, anywhere bool
	if filter {
		outside, anywhere = choices(text)
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '(':
			depth++
			i++
		case c == ')':
			depth--
			i++
		case c == '=':
			changed = false
			i++
		case c == ',':
			changed = update && depth == 0
			i++
		case c == ':': // a value
			i = word(text, i+1)
		case c == '.': // further inside
			i = inner(text, i)
		case c == '[':
			for i < len(text) && text[i] != ']' {
				i++
			}
		case c == '#' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z':
			start := i
			i = word(text, i+1)
			token := text[start:i]
			if update && c != '#' && isWord(token, "SET", "REMOVE", "ADD", "DELETE") {
				changed, added = true, isWord(token, "ADD", "DELETE")
				continue
			}
			if c != '#' && (isWord(token, "AND", "OR", "NOT", "BETWEEN", "IN") || i < len(text) && next(text, i) == '(') {
				continue
			}
			n := naming{changed: changed, added: changed && added, bare: true}
			if filter && !outside && (depth == 0 || !anywhere) {
				n.equal = equals(text, start, i)
			}
			if c == '#' {
				n.bare = false
				token = r.named(token)
			}
			if len(token) > 0 {
				yield(token, n)
			}
		default:
			i++
		}
	}
}

// named is the name that a placeholder stands for.
func (r *request) named(placeholder []byte) []byte {
	if len(r.placeholders) == 0 {
		k := attr.Skim(r.names)
		r.placeholders = k.AppendMembers(r.placeholders)
	}
	for i := range r.placeholders {
		if p := &r.placeholders[i]; p.Named(string(placeholder)) {
			return bytes.Trim(p.Value, `"`)
		}
	}
	return nil
}

// assigned is the value that an update expression sets an attribute to, if it is one of those that come with the request.
func (r *request) assigned(attribute string) json.RawMessage {
	text := bytes.Trim(r.update, `"`)
	for i := 0; i < len(text); {
		c := text[i]
		if c != '#' && c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') {
			switch c {
			case ':':
				i = word(text, i+1)
			case '.':
				i = inner(text, i)
			default:
				i++
			}
			continue
		}
		start := i
		i = word(text, i+1)
		token := text[start:i]
		if c == '#' {
			token = r.named(token)
		}
		rest := bytes.TrimLeft(text[i:], " ")
		if string(token) != attribute || len(rest) == 0 || rest[0] != '=' {
			continue
		}
		rest = bytes.TrimLeft(rest[1:], " ")
		if len(rest) == 0 || rest[0] != ':' {
			return nil
		}
		n := word(rest, 1)
		if end := next(rest, n); end != 0 && end != ',' && end|0x20 < 'a' { // a sum
			return nil
		}
		return attr.LookupRaw(r.values, string(rest[:n]))
	}
	return nil
}

// choices reports whether an expression has an OR or NOT outside of all parentheses, or anywhere.
func choices(text []byte) (outside, anywhere bool) {
	depth := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '(':
			depth++
			i++
		case c == ')':
			depth--
			i++
		case c == '#' || c == ':' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z':
			start := i
			i = word(text, i+1)
			if isWord(text[start:i], "OR", "NOT") {
				anywhere = true
				outside = outside || depth == 0
			}
		default:
			i++
		}
	}
	return outside, anywhere
}

// equals reports whether the attribute that stands there is compared with = or IN.
func equals(text []byte, start, end int) bool {
	rest := bytes.TrimLeft(text[end:], " ")
	before := bytes.TrimRight(text[:start], " ")
	switch n := len(before); {
	case len(rest) > 0 && rest[0] == '=':
		return true
	case len(rest) > 2 && isWord(rest[:2], "IN") && (rest[2] == ' ' || rest[2] == '('):
		return true
	case n > 1 && before[n-1] == '=':
		return before[n-2] != '<' && before[n-2] != '>'
	}
	return false
}

// word is where a word ends.
func word(text []byte, i int) int {
	for i < len(text) {
		c := text[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c < 0x80 {
			break
		}
		i++
	}
	return i
}

// inner is where a name ends that stands behind a dot.
func inner(text []byte, dot int) int {
	if dot+1 < len(text) && text[dot+1] == '#' {
		dot++
	}
	return word(text, dot+1)
}

// next is the first byte that is no space.
func next(text []byte, i int) byte {
	for ; i < len(text); i++ {
		if text[i] != ' ' {
			return text[i]
		}
	}
	return 0
}

func isWord(token []byte, words ...string) bool {
	for _, w := range words {
		if len(token) == len(w) && strings.EqualFold(string(token), w) {
			return true
		}
	}
	return false
}

func cutLast(text, sep string) (before, after string) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):]
	}
	return text, ""
}
