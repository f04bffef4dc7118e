package differ_test

import (
	"fmt"
	"strings"
)

// phrases collects the names and values that expressions of one request stand for.
type phrases struct {
	g      *gen
	shape  *shape
	names  obj
	values obj
}

func (g *gen) phrases(s *shape) *phrases {
	return &phrases{g: g, shape: s, names: obj{}, values: obj{}}
}

// into adds the maps to a request; empty ones are refused, so they are left out.
func (p *phrases) into(in obj) {
	if len(p.names) > 0 {
		in["ExpressionAttributeNames"] = p.names
	}
	if len(p.values) > 0 {
		in["ExpressionAttributeValues"] = p.values
	}
}

// val stands for a value.
func (p *phrases) val(v any) string {
	name := fmt.Sprintf(":v%d", len(p.values))
	p.values[name] = v
	return name
}

// name stands for an attribute, sometimes by an alias.
func (p *phrases) name(attribute string) string {
	if !p.g.chance(0.2) {
		return attribute
	}
	alias := "#" + attribute
	p.names[alias] = attribute
	return alias
}

// attribute is one of an item's, or one that it does not have.
func (p *phrases) attribute() (name, kind string) {
	if p.g.chance(0.15) {
		a := pick(p.g, sortedKeys(p.shape.types)...)
		return a, p.shape.types[a]
	}
	if p.g.chance(0.08) {
		return "absent", "S"
	}
	a := pick(p.g, typical...)
	return a.name, a.kind
}

// path is a place in an item and the type that one usually finds there.
func (p *phrases) path() (path, kind string) {
	name, kind := p.attribute()
	path = p.name(name)
	switch {
	case kind == "L" && p.g.chance(0.6):
		return path + fmt.Sprintf("[%d]", p.g.IntN(4)), pick(p.g, allTypes...)
	case kind == "M" && p.g.chance(0.6):
		path += "." + p.name(pick(p.g, "x", "y"))
		if p.g.chance(0.2) {
			path += pick(p.g, "[0]", ".z")
		}
		return path, pick(p.g, allTypes...)
	}
	return path, kind
}

// literal is a placeholder of a type, now and then of another.
func (p *phrases) literal(kind string) string {
	if p.g.chance(0.05) {
		kind = pick(p.g, allTypes...)
	}
	return p.val(p.g.value(kind, 1))
}

// condition is a condition or filter of up to depth levels.
func (p *phrases) condition(depth int) string {
	g := p.g
	if depth > 0 && g.chance(0.45) {
		a, b := p.condition(depth-1), p.condition(depth-1)
		switch g.IntN(5) {
		case 0:
			return "NOT " + a
		case 1:
			return a + " OR " + b
		case 2:
			return "(" + a + ") OR NOT (" + b + ")"
		case 3:
			return "(" + a + " or " + b + ")"
		default:
			return a + " AND " + b
		}
	}
	path, kind := p.path()
	comparable := func() string {
		if kind != "S" && kind != "N" && kind != "B" {
			kind = pick(g, "S", "N", "B")
		}
		return p.literal(kind)
	}
	switch g.IntN(12) {
	case 0, 1:
		return path + pick(g, " = ", " <> ", "=") + p.literal(kind)
	case 2, 3:
		return path + pick(g, " < ", " <= ", " > ", " >= ", ">") + comparable()
	case 4:
		other, _ := p.path()
		return path + pick(g, " = ", " < ", " <> ") + other
	case 5:
		return path + " BETWEEN " + comparable() + " AND " + comparable()
	case 6:
		return path + " IN (" + p.literal(kind) + ", " + p.literal(kind) + ")"
	case 7:
		return pick(g, "attribute_exists", "attribute_not_exists") + "(" + path + ")"
	case 8:
		return "attribute_type(" + path + ", " + p.val(obj{"S": pick(g, allTypes...)}) + ")"
	case 9:
		return "begins_with(" + path + ", " + p.literal(pick(g, "S", "S", "B")) + ")"
	case 10:
		return "contains(" + path + ", " + p.literal(pick(g, "S", "N", "B", kind)) + ")"
	default:
		return "size(" + path + ")" + pick(g, " = ", " > ", " <= ") + p.val(obj{"N": pick(g, "0", "1", "2", "5")})
	}
}

// projection is a list of places, few of which overlap.
func (p *phrases) projection() string {
	var paths []string
	seen := map[string]bool{}
	for range 1 + p.g.IntN(4) {
		path, _ := p.path()
		root := strings.TrimPrefix(strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })[0], "#")
		if !seen[root] || p.g.chance(0.05) {
			seen[root] = true
			paths = append(paths, path)
		}
	}
	return strings.Join(paths, ", ")
}

// operand is the right side of a SET.
func (p *phrases) operand(path, kind string) string {
	g := p.g
	switch other, _ := p.path(); {
	case kind == "N" && g.chance(0.5):
		left := path
		if g.chance(0.4) {
			left = "if_not_exists(" + path + ", " + p.val(obj{"N": "0"}) + ")"
		}
		return left + pick(g, " + ", " - ") + p.val(obj{"N": pick(g, "1", "0.5", "-3", "1e10")})
	case kind == "L" && g.chance(0.5):
		more := p.val(g.value("L", 1))
		return pick(g, "list_append("+path+", "+more+")", "list_append("+more+", "+path+")")
	case g.chance(0.15):
		return other
	case g.chance(0.15):
		return "if_not_exists(" + other + ", " + p.literal(kind) + ")"
	}
	return p.literal(kind)
}

// update is an update expression whose places seldom overlap.
func (p *phrases) update() string {
	g := p.g
	sections := map[string][]string{}
	seen := map[string]bool{}
	for range 1 + g.IntN(4) {
		name, kind := p.attribute()
		key := name == p.shape.keys[0] || name == p.shape.keys[len(p.shape.keys)-1]
		if seen[name] && !g.chance(0.04) || key && !g.chance(0.03) {
			continue
		}
		seen[name] = true
		path := p.name(name)
		index := p.shape.types[name] != ""
		if !index && kind == "L" && g.chance(0.3) {
			path, kind = path+fmt.Sprintf("[%d]", g.IntN(5)), pick(g, "S", "N")
		} else if !index && kind == "M" && g.chance(0.4) {
			path, kind = path+"."+pick(g, "x", "y", "x.z", "y[0]"), pick(g, "S", "N", "L")
		}
		switch n := g.IntN(10); {
		case index && n < 7:
			sections["SET"] = append(sections["SET"], path+" = "+p.val(g.keyValue(kind, 3)))
		case n < 2 || index:
			sections["REMOVE"] = append(sections["REMOVE"], path)
		case (kind == "N" || kind == "SS" || kind == "NS" || kind == "BS") && n < 6:
			sections["ADD"] = append(sections["ADD"], path+" "+p.val(g.value(kind, 1)))
		case (kind == "SS" || kind == "NS" || kind == "BS") && n < 8:
			sections["DELETE"] = append(sections["DELETE"], path+" "+p.val(g.value(kind, 1)))
		default:
			sections["SET"] = append(sections["SET"], path+" = "+p.operand(path, kind))
		}
	}
	if len(sections) == 0 {
		sections["SET"] = []string{"a = " + p.val(obj{"N": "1"})}
	}
	var text []string
	for _, s := range pick(g, []string{"SET", "REMOVE", "ADD", "DELETE"}, []string{"DELETE", "ADD", "SET", "REMOVE"}) {
		if l := sections[s]; l != nil {
			text = append(text, pick(g, s, s, strings.ToLower(s))+" "+strings.Join(l, ", "))
		}
	}
	return strings.Join(text, " ")
}

// keyCondition asks for part of a table or index.
func (p *phrases) keyCondition(hash, sort []string) string {
	g := p.g
	var parts []string
	of := func(name string) string { return p.val(g.keyValue(p.shape.types[name], 3)) }
	for _, name := range hash {
		parts = append(parts, p.name(name)+" = "+of(name))
	}
	for i, name := range sort[:g.IntN(len(sort)+1)] {
		last := i == len(sort)-1 || g.chance(0.5)
		path := p.name(name)
		if !last {
			parts = append(parts, path+" = "+of(name))
			continue
		}
		switch n := g.IntN(5); {
		case n == 0:
			parts = append(parts, path+" = "+of(name))
		case n == 1:
			parts = append(parts, path+" BETWEEN "+p.val(g.keyValue(p.shape.types[name], 2))+" AND "+of(name))
		case n == 2 && p.shape.types[name] != "N":
			prefix := obj{"S": "k"}
			if p.shape.types[name] == "B" {
				prefix = obj{"B": "eA=="}
			}
			parts = append(parts, "begins_with("+path+", "+p.val(prefix)+")")
		default:
			parts = append(parts, path+pick(g, " < ", " <= ", " > ", " >= ")+of(name))
		}
		break
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, " AND ")
}
