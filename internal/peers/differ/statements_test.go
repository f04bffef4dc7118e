package differ_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// sql makes a statement of PartiQL: its words, and the parameters that stand for some of its values.
type sql struct {
	g          *gen
	shape      *shape
	parameters list
	plain      bool // there are no parameters
	total      bool // what a SELECT asks for has one order
}

// words are a statement's, without what separates them.
type words []string

func join(all ...words) words { return slices.Concat(all...) }

// between puts a word between others.
func between(separator string, all []words) words {
	var w words
	for i, l := range all {
		if i > 0 {
			w = append(w, separator)
		}
		w = append(w, l...)
	}
	return w
}

// statement is a statement with its parameters as a member of a request, in which it may have a mistake.
func (g *gen) statement(make func(p *sql) words) obj {
	in, _ := g.statementOf(make)
	return in
}

// statementOf is statement; total reports whether what it asks for has one order.
func (g *gen) statementOf(make func(p *sql) words) (in obj, total bool) {
	p := &sql{g: g, shape: pick(g, shapes...), plain: g.chance(0.3)}
	w := make(p)
	if g.chance(g.mistakes) {
		p.total = false
		w = p.spoil(w)
	}
	in = p.member(w)
	return in, p.total
}

// member is the statement of words as a member of a request.
func (p *sql) member(w words) obj {
	g := p.g
	in := obj{"Statement": strings.Join(w, " ")}
	if g.chance(0.1) {
		in["Statement"] = strings.ReplaceAll(in["Statement"].(string), " , ", ",")
	}
	if len(p.parameters) > 0 {
		in["Parameters"] = p.parameters
	}
	return in
}

// statements is a request that has one statement, or some.
func (g *gen) statements() request {
	capacity := func(r request) request {
		switch {
		case g.chance(0.4):
			r.in["ReturnConsumedCapacity"] = "INDEXES"
		case g.chance(0.5):
			r.in["ReturnConsumedCapacity"] = "TOTAL"
		}
		return r
	}
	switch n := g.IntN(20); {
	case n < 9:
		in, total := g.statementOf((*sql).query)
		if g.chance(0.4) {
			in["Limit"] = 1 + g.IntN(6)
		}
		if g.chance(0.2) {
			in["ConsistentRead"] = g.chance(0.8)
		}
		if g.chance(g.mistakes / 5) {
			in["NextToken"] = pick(g, "", "nonsense", "bm9uc2Vuc2U=")
		}
		r := capacity(request{operation: "ExecuteStatement", in: in})
		r.total = total
		return r
	case n < 15:
		in := g.statement((*sql).write)
		if g.chance(0.1) {
			in["Limit"] = 1
		}
		if g.chance(0.3) {
			in["ReturnValuesOnConditionCheckFailure"] = pick(g, "ALL_OLD", "ALL_OLD", "NONE")
		}
		return capacity(request{operation: "ExecuteStatement", in: in})
	case n < 18:
		one := pick(g, (*sql).write, (*sql).point)
		var all list
		for range 1 + g.IntN(4) {
			s := g.statement(one)
			if g.chance(0.2) {
				s["ConsistentRead"] = true
			}
			if g.chance(0.2) {
				s["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
			}
			all = append(all, s)
		}
		return capacity(request{operation: "BatchExecuteStatement", in: obj{"Statements": all}})
	default:
		one := []func(*sql) words{(*sql).point}
		if g.chance(0.6) {
			one = []func(*sql) words{(*sql).write, (*sql).write, (*sql).exists}
		}
		var all list
		for range 1 + g.IntN(3) {
			s := g.statement(pick(g, one...))
			if g.chance(0.3) {
				s["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
			}
			all = append(all, s)
		}
		return capacity(request{operation: "ExecuteTransaction", in: obj{"TransactStatements": all}})
	}
}

// name is an attribute's name, often in quotes; key words need them.
func (p *sql) name(name string) string {
	if p.g.chance(0.3) {
		return `"` + name + `"`
	}
	return name
}

// value is a value: written out, or a parameter.
func (p *sql) value(v obj) words {
	if !p.plain && p.g.chance(0.6) || !writable(v) {
		p.parameters = append(p.parameters, v)
		return words{"?"}
	}
	return words{literal(v)}
}

// writable reports whether there are literals for all of a value: bytes have none.
func writable(v obj) bool {
	for kind, of := range v {
		switch kind {
		case "B", "BS":
			return false
		case "L":
			return !slices.ContainsFunc(of.(list), func(e any) bool { return !writable(e.(obj)) })
		case "M":
			for _, e := range of.(obj) {
				if !writable(e.(obj)) {
					return false
				}
			}
		}
	}
	return true
}

// literal is a value as PartiQL has it.
func literal(v obj) string {
	var b strings.Builder
	each := func(open string, of list, one func(any) string, shut string) string {
		b.WriteString(open)
		for i, e := range of {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(one(e))
		}
		b.WriteString(shut)
		return b.String()
	}
	quoted := func(s any) string { return "'" + strings.ReplaceAll(s.(string), "'", "''") + "'" }
	for kind, of := range v {
		switch kind {
		case "S":
			return quoted(of)
		case "N":
			return of.(string)
		case "BOOL":
			return strconv.FormatBool(of.(bool))
		case "NULL":
			return "NULL"
		case "SS":
			return each("<<", of.(list), quoted, ">>")
		case "NS":
			return each("<<", of.(list), func(n any) string { return n.(string) }, ">>")
		case "L":
			return each("[", of.(list), func(e any) string { return literal(e.(obj)) }, "]")
		case "M":
			m := of.(obj)
			b.WriteString("{")
			for i, name := range sortedKeys(m) {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(quoted(name) + ": " + literal(m[name].(obj)))
			}
			return b.String() + "}"
		}
	}
	panic(fmt.Sprint("no value: ", v))
}

// projection is what a SELECT asks for.
func (p *sql) projection() words {
	if p.g.chance(0.5) {
		return words{"*"}
	}
	var all []words
	seen := map[string]bool{}
	for range 1 + p.g.IntN(3) {
		path, _ := p.path()
		if !seen[path] || p.g.chance(0.1) {
			all = append(all, words{path})
		}
		seen[path] = true
	}
	return between(",", all)
}

// query is a SELECT of a table or index.
func (p *sql) query() words {
	g, x := p.g, p.g.source(p.shape)
	hash, sort := p.shape.keys[:1], p.shape.keys[1:]
	if x != nil {
		hash, sort = x.hash, x.sort
	}
	w := join(words{"SELECT"}, p.projection(), words{"FROM", p.from(x)})
	ordered := false
	defer func() { p.total = ordered && x == nil }()
	switch n := g.IntN(10); {
	case n == 0:
	case n < 3:
		w = join(w, words{"WHERE"}, p.condition(2))
	default:
		var where words
		where, ordered = p.partitions(hash, sort)
		w = join(w, words{"WHERE"}, where)
		if g.chance(0.4) {
			w = join(w, words{"AND"}, p.condition(1))
		}
	}
	if ordered && g.chance(0.3) || g.chance(0.05) {
		w = append(w, "ORDER BY", p.name(pick(g, slices.Concat(hash, sort)...)))
		if g.chance(0.6) {
			direction := pick(g, "ASC", "DESC")
			w, ordered = append(w, direction), ordered && direction == "ASC" // in one partition Local does not heed DESC
		}
	}
	return w
}

// point is a SELECT of one item.
func (p *sql) point() words {
	w := join(words{"SELECT"}, p.projection(), words{"FROM", p.from(nil), "WHERE"}, p.whole())
	if p.g.chance(0.1) {
		w = join(w, words{"AND"}, p.condition(0))
	}
	return w
}

// exists is a condition of a transaction.
func (p *sql) exists() words {
	return join(words{"EXISTS", "(", "SELECT", "*", "FROM", p.from(nil), "WHERE"}, p.whole(), words{"AND"}, p.condition(1), words{")"})
}

// write is an INSERT, UPDATE or DELETE.
func (p *sql) write() words {
	switch n := p.g.IntN(10); {
	case n < 3:
		return p.insert()
	case n < 8:
		return p.update()
	}
	w := join(words{"DELETE", "FROM", p.from(nil), "WHERE"}, p.where())
	if p.g.chance(0.4) {
		w = append(w, "RETURNING", "ALL OLD", "*")
	}
	return w
}

// where names an item, often under a condition.
func (p *sql) where() words {
	w := p.whole()
	if p.g.chance(0.3) {
		w = join(w, words{"AND"}, p.condition(1))
	}
	return w
}

func (p *sql) insert() words {
	item := p.g.item(p.shape)
	if p.g.chance(0.15) && !p.plain {
		p.parameters = append(p.parameters, obj{"M": item})
		return words{"INSERT", "INTO", p.from(nil), "VALUE", "?"}
	}
	var all []words
	for _, name := range sortedKeys(item) {
		all = append(all, join(words{"'" + name + "'", ":"}, p.value(item[name].(obj))))
	}
	return join(words{"INSERT", "INTO", p.from(nil), "VALUE", "{"}, between(",", all), words{"}"})
}

func (p *sql) update() words {
	g := p.g
	w := words{"UPDATE", p.from(nil)}
	seen := map[string]bool{}
	names := &phrases{g: g, shape: p.shape, names: obj{}, values: obj{}}
	for range 1 + g.IntN(3) {
		name, kind := names.attribute()
		isKey := slices.Contains(p.shape.keys, name)
		if seen[name] && !g.chance(0.04) || isKey && !g.chance(0.03) {
			continue
		}
		seen[name] = true
		path, index := p.name(name), p.shape.types[name] != ""
		if !index && kind == "L" && g.chance(0.3) {
			path, kind = path+fmt.Sprintf("[%d]", g.IntN(5)), pick(g, "S", "N")
		} else if !index && kind == "M" && g.chance(0.4) {
			path, kind = path+"."+pick(g, "x", "y"), pick(g, "S", "N", "L")
		}
		switch n := g.IntN(10); {
		case index && n < 7:
			w = join(w, words{"SET", path, "="}, p.value(g.keyValue(kind, 3)))
		case n < 2 || index:
			w = append(w, "REMOVE", path)
		case n < 4 && (kind == "SS" || kind == "NS" || kind == "BS"):
			w = join(w, words{"SET", path, "=", pick(g, "set_add", "set_delete"), "(", path, ","}, p.value(g.value(kind, 1)), words{")"})
		case n < 5 && kind == "L":
			w = join(w, words{"SET", path, "=", "list_append", "(", path, ","}, p.value(g.value("L", 1)), words{")"})
		case n < 6 && kind == "N":
			w = join(w, words{"SET", path, "=", path, pick(g, "+", "-")}, p.value(obj{"N": pick(g, "1", "0.5", "1e10")}))
		case n < 7:
			other, _ := p.path()
			w = join(w, words{"SET", path, "=", "if_not_exists", "(", other, ","}, p.typed(kind), words{")"})
		default:
			w = join(w, words{"SET", path, "="}, p.typed(kind))
		}
	}
	if len(w) == 2 {
		w = join(w, words{"SET", "a", "="}, p.value(obj{"N": "1"}))
	}
	w = join(w, words{"WHERE"}, p.where())
	if g.chance(0.5) {
		w = append(w, "RETURNING", pick(g, "ALL OLD", "ALL NEW", "MODIFIED OLD", "MODIFIED NEW"), "*")
	}
	return w
}

// spoil makes one mistake in a statement.
func (p *sql) spoil(w words) words {
	g := p.g
	w = slices.Clone(w)
	at := g.IntN(len(w))
	switch g.IntN(12) {
	case 0:
		return slices.Delete(w, at, at+1)
	case 1:
		return slices.Insert(w, at, w[at])
	case 2:
		w[at] = pick(g, "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "IN", "LIKE", "IS", "absent", "'a'", "1", "?", "(", ")", "[", "{", "*", "=", ",", ";", "<<", "group", "RETURNING", "MISSING", "NULL", "size", "count")
		return w
	case 3:
		w[at] = strings.ToLower(w[at])
		return w
	case 4: // a table or index that is not there
		for i, word := range w {
			if i > 0 && slices.Contains([]string{"FROM", "INTO", "UPDATE"}, w[i-1]) {
				w[i] = pick(g, `"absent"`, `"ab"`, word+`."absent"`, `"`+p.shape.name+`"."keys"`, "'"+p.shape.name+"'", `""`, `"bad name"`, word+"."+word)
			}
		}
		return w
	case 5:
		if len(p.parameters) > 0 {
			p.parameters = p.parameters[:len(p.parameters)-1]
		} else {
			p.parameters = list{obj{"N": "1"}}
		}
		return w
	case 6:
		p.parameters = append(p.parameters, obj{"S": "more"})
		return w
	case 7:
		if len(p.parameters) > 0 {
			p.parameters[g.IntN(len(p.parameters))] = g.badValue()
		}
		return w
	case 8:
		if len(p.parameters) > 0 {
			p.parameters[g.IntN(len(p.parameters))] = g.any(0)
		}
		return w
	case 9: // part of the key, or more than it
		if i := slices.Index(w, "AND"); i >= 0 {
			w[i] = "OR"
		}
		return w
	case 10:
		return append(w, pick(g, "RETURNING ALL OLD *", "RETURNING ALL NEW *", "RETURNING MODIFIED OLD *", "ORDER BY pk", "LIMIT 1", "GROUP BY a", "AND a = 1", ";", "; SELECT", "x"))
	default:
		return w[:1+at]
	}
}

// statements compares statements of PartiQL, alone, in batches and in transactions. testdata/statements.txt lists what
// differs.
func (c *comparison) statements(g *gen) {
	c.t.Helper()
	for _, r := range readRequests(c.t, "testdata/statement_requests.txt") {
		c.compare(r)
	}
	for range share(10) {
		c.compare(g.statements())
	}
}
