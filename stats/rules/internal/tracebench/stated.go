package tracebench

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// stated makes the call a statement of PartiQL that does the same, where there is one: a put of an item that is there becomes an UPDATE
// of all its attributes, as a program would write it, one of an item that is not an INSERT. Of no statement are puts that do not look
// whether the item is there, sums with what may be missing, and counts.
func (r *request) stated(body []byte) ([]byte, bool) {
	m := map[string]json.RawMessage{}
	for name, value := range attr.Members(body) {
		m[string(name)] = value
	}
	s := statement{r: r, m: m, text: func(name string) string {
		var text string
		_ = json.Unmarshal(m[name], &text)
		return text
	}}
	if m["Select"] != nil || r.call.Table == "" {
		return nil, false
	}
	w := r.c.w
	there := func() bool {
		_, whole := w.keys(r.call.Table, "", append(m["Key"], m["Item"]...))
		answer, err := w.Engine.Do(context.Background(), "GetItem", append(append(append([]byte(`{"TableName":`), attr.AppendText(nil, r.call.Table)...), `,"Key":`...), append(whole, '}')...))
		return err == nil && attr.LookupRaw(answer, "Item") != nil
	}
	condition := s.text("ConditionExpression")
	switch r.call.Operation {
	case "GetItem":
		s.selects()
		s.where(s.key(m["Key"]))
	case "Query", "Scan":
		s.selects()
		s.where(s.expression(s.text("KeyConditionExpression")), s.expression(s.text("FilterExpression")))
		if string(m["ScanIndexForward"]) == "false" {
			s.write(" ORDER BY ", quoted(w.sortOf(r.call.Table, r.call.Index)), " DESC")
		}
	case "PutItem":
		creates := strings.HasPrefix(condition, "attribute_not_exists(") && !strings.Contains(condition, " ")
		if condition == "" && there() || condition != "" && !creates {
			s.write("UPDATE ", quoted(r.call.Table))
			var key []byte
			_, key = w.keys(r.call.Table, "", m["Item"])
			for name, value := range attr.Members(m["Item"]) {
				if attr.LookupRaw(key, string(name)) == nil {
					s.write(" SET ", quoted(string(name)), " = ", s.value(value))
				}
			}
			s.where(s.key(key), s.expression(condition))
			s.returning()
			break
		}
		if m["ReturnValues"] != nil {
			return nil, false
		}
		s.write("INSERT INTO ", quoted(r.call.Table), " VALUE {")
		before := ""
		for name, value := range attr.Members(m["Item"]) {
			s.write(before, "'", string(name), "': ", s.value(value))
			before = ", "
		}
		s.write("}")
	case "UpdateItem":
		update := s.text("UpdateExpression")
		if regexp.MustCompile(`\b(ADD|DELETE|if_not_exists)\b`).MatchString(update) || condition == "" && !there() {
			return nil, false
		}
		s.write("UPDATE ", quoted(r.call.Table), " ")
		if i := strings.Index(update, "REMOVE "); i >= 0 {
			update = update[:i] + strings.ReplaceAll(update[i:], ",", " REMOVE ")
		}
		s.write(s.expression(update))
		s.where(s.key(m["Key"]), s.expression(condition))
		s.returning()
	case "DeleteItem":
		s.write("DELETE FROM ", quoted(r.call.Table))
		s.where(s.key(m["Key"]), s.expression(condition))
		s.returning()
	default:
		return nil, false
	}
	b := append([]byte(`{"Statement":`), attr.AppendText(nil, s.out.String())...)
	if len(s.given) > 0 {
		all, _ := json.Marshal(s.given)
		b = append(append(b, `,"Parameters":`...), all...)
	}
	for _, name := range []string{"Limit", "ConsistentRead"} {
		if m[name] != nil {
			b = append(append(b, `,"`+name+`":`...), m[name]...)
		}
	}
	if m["ExclusiveStartKey"] != nil {
		b = append(append(b, `,"NextToken":`...), r.token...)
	}
	return append(b, '}'), !s.failed
}

// statement is one that is put together.
type statement struct {
	r      *request
	m      map[string]json.RawMessage
	text   func(member string) string
	out    strings.Builder
	given  []json.RawMessage
	failed bool
}

func (s *statement) write(parts ...string) {
	for _, p := range parts {
		s.out.WriteString(p)
	}
}

func quoted(name string) string { return `"` + name + `"` }

func (s *statement) value(v json.RawMessage) string {
	s.given = append(s.given, v)
	return "?"
}

func (s *statement) selects() {
	columns := "*"
	if p := s.text("ProjectionExpression"); p != "" {
		columns = s.expression(p)
	}
	s.write("SELECT ", columns, " FROM ", quoted(s.r.call.Table))
	if s.r.call.Index != "" {
		s.write(".", quoted(s.r.call.Index))
	}
}

// key is the condition that it is this key.
func (s *statement) key(key json.RawMessage) string {
	var terms []string
	for name, value := range attr.Members(key) {
		terms = append(terms, quoted(string(name))+" = "+s.value(value))
	}
	return strings.Join(terms, " AND ")
}

func (s *statement) where(terms ...string) {
	word := " WHERE "
	for _, t := range terms {
		if strings.Contains(t, " OR ") {
			t = "(" + t + ")"
		}
		if t != "" {
			s.write(word, t)
			word = " AND "
		}
	}
}

func (s *statement) returning() {
	switch s.text("ReturnValues") {
	case "", "NONE":
	case "ALL_OLD":
		s.write(" RETURNING ALL OLD *")
	case "ALL_NEW":
		s.write(" RETURNING ALL NEW *")
	default:
		s.failed = true
	}
}

var (
	exists = regexp.MustCompile(`attribute_(not_)?exists ?\(([^)]*)\)`)
	tokens = regexp.MustCompile(`[#:]?[A-Za-z_][A-Za-z0-9_]*`)
	words  = map[string]bool{"AND": true, "OR": true, "NOT": true, "BETWEEN": true, "IN": true, "SET": true, "REMOVE": true, "IS": true, "MISSING": true, "begins_with": true,
		"contains": true, "size": true, "attribute_type": true, "list_append": true}
)

// expression is what an expression is in a statement.
func (s *statement) expression(text string) string {
	text = exists.ReplaceAllStringFunc(text, func(call string) string {
		m := exists.FindStringSubmatch(call)
		if m[1] != "" {
			return m[2] + " IS MISSING"
		}
		return m[2] + " IS NOT MISSING"
	})
	return tokens.ReplaceAllStringFunc(text, func(token string) string {
		switch {
		case token[0] == '#':
			var name string
			_ = json.Unmarshal(attr.LookupRaw(s.m["ExpressionAttributeNames"], token), &name)
			return quoted(name)
		case token[0] == ':':
			return s.value(attr.LookupRaw(s.m["ExpressionAttributeValues"], token))
		case words[token]:
			return token
		}
		return quoted(token)
	})
}

// sortOf is the first attribute of a sort key.
func (w *World) sortOf(table, index string) string {
	p := w.tables[table]
	for _, of := range []map[string]plan.Index{p.GSI, p.LSI} {
		if x, known := of[index]; known {
			return x.Sort[0]
		}
	}
	return p.Key.Sort
}
