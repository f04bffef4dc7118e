package differ_test

import "fmt"

// from is a table or one of its indexes.
func (p *sql) from(x *indexShape) string {
	name := `"` + p.shape.name + `"`
	if p.g.chance(0.2) && (p.shape.name != "local" || p.g.chance(0.1)) { // local is a key word
		name = p.shape.name
	}
	if x != nil {
		return name + `."` + x.name + `"`
	}
	return name
}

// keyValue is a value of a key attribute, of few.
func (p *sql) keyValue(name string) words {
	return p.value(p.g.keyValue(p.shape.types[name], 4))
}

// equal asks for a key attribute.
func (p *sql) equal(name string) words {
	if p.g.chance(0.05) {
		return join(p.keyValue(name), words{"=", p.name(name)})
	}
	return join(words{p.name(name), "="}, p.keyValue(name))
}

// whole names one item by its whole key.
func (p *sql) whole() words {
	var all []words
	for _, k := range p.shape.keys {
		all = append(all, p.equal(k))
	}
	p.g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return between("AND", all)
}

// path is a place in an item and the type that one usually finds there.
func (p *sql) path() (path, kind string) {
	names := &phrases{g: p.g, shape: p.shape, names: obj{}, values: obj{}}
	name, kind := names.attribute()
	path = p.name(name)
	switch {
	case kind == "L" && p.g.chance(0.6):
		return path + fmt.Sprintf("[%d]", p.g.IntN(4)), pick(p.g, allTypes...)
	case kind == "M" && p.g.chance(0.6):
		return path + "." + p.name(pick(p.g, "x", "y")), pick(p.g, allTypes...)
	}
	return path, kind
}

// typed is a value of a type, now and then of another.
func (p *sql) typed(kind string) words {
	if p.g.chance(0.05) {
		kind = pick(p.g, allTypes...)
	}
	return p.value(p.g.value(kind, 1))
}

// condition is a condition of up to depth levels.
func (p *sql) condition(depth int) words {
	g := p.g
	if depth > 0 && g.chance(0.35) {
		a, b := p.condition(depth-1), p.condition(depth-1)
		switch g.IntN(4) {
		case 0:
			return join(words{"NOT"}, a)
		case 1:
			return join(words{"("}, a, words{"OR"}, b, words{")"})
		case 2:
			return join(words{"(", "("}, a, words{")", "OR", "NOT", "("}, b, words{")", ")"})
		default:
			return join(a, words{"AND"}, b)
		}
	}
	path, kind := p.path()
	comparable := func() words {
		if kind != "S" && kind != "N" && kind != "B" {
			kind = pick(g, "S", "N", "B")
		}
		return p.typed(kind)
	}
	switch g.IntN(13) {
	case 0, 1:
		return join(words{path, pick(g, "=", "<>", "!=")}, p.typed(kind))
	case 2, 3:
		return join(words{path, pick(g, "<", "<=", ">", ">=")}, comparable())
	case 4:
		other, _ := p.path()
		return words{path, pick(g, "=", "<"), other}
	case 5:
		return join(words{path, "BETWEEN"}, comparable(), words{"AND"}, comparable())
	case 6:
		open, shut := "[", "]"
		if g.chance(0.5) {
			open, shut = "(", ")"
		}
		return join(words{path, "IN", open}, p.typed(kind), words{","}, p.typed(kind), words{shut})
	case 7:
		return words{path, "IS", pick(g, "MISSING", "NOT MISSING", "NULL", "NOT NULL")}
	case 8:
		return join(words{"attribute_type", "(", path, ","}, p.value(obj{"S": pick(g, allTypes...)}), words{")"})
	case 9:
		return join(words{"begins_with", "(", path, ","}, p.typed(pick(g, "S", "S", "B")), words{")"})
	case 10:
		return join(words{"contains", "(", path, ","}, p.typed(pick(g, "S", "N", kind)), words{")"})
	case 11:
		return join(words{pick(g, "attribute_exists", "attribute_not_exists"), "(", path, ")"})
	default:
		return join(words{"size", "(", path, ")", pick(g, "=", ">", "<=")}, p.value(obj{"N": pick(g, "0", "1", "2", "5")}))
	}
}

// partitions asks for part of a table or index; ordered reports whether it is one partition.
func (p *sql) partitions(hash, sort []string) (w words, ordered bool) {
	g := p.g
	var parts []words
	ordered = true
	for _, name := range hash {
		switch n := g.IntN(10); {
		case n == 0 && len(hash) == 1: // a list
			var all []words
			for range 1 + g.IntN(3) {
				all = append(all, p.keyValue(name))
			}
			parts = append(parts, join(words{p.name(name), "IN", "["}, between(",", all), words{"]"}))
			ordered = false
		case n == 1 && len(hash) == 1:
			parts = append(parts, join(words{"("}, p.equal(name), words{"OR"}, p.equal(name), words{")"}))
			ordered = false
		default:
			parts = append(parts, p.equal(name))
		}
	}
	for i, name := range sort[:g.IntN(len(sort)+1)] {
		if i < len(sort)-1 && g.chance(0.5) {
			parts = append(parts, p.equal(name))
			continue
		}
		kind := p.shape.types[name]
		switch n := g.IntN(5); {
		case n == 0:
			parts = append(parts, p.equal(name))
		case n == 1:
			parts = append(parts, join(words{p.name(name), "BETWEEN"}, p.value(g.keyValue(kind, 2)), words{"AND"}, p.keyValue(name)))
		case n == 2 && kind == "S":
			parts = append(parts, join(words{"begins_with", "(", p.name(name), ","}, p.value(obj{"S": "k"}), words{")"}))
		default:
			parts = append(parts, join(words{p.name(name), pick(g, "<", "<=", ">", ">=")}, p.keyValue(name)))
		}
		break
	}
	return between("AND", parts), ordered
}
