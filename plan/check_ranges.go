package plan

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/keys"
)

// checkRange finds out which kinds can fall into the range of a query, and chooses how the range of several kinds is
// written. A kind that can fall in and is not listed is an error: what it is would be unknown to the plan.
func (c *compiler) checkRange(s *Stage) {
	if s.Verb == Scan {
		for _, k := range s.Access.Table.Kinds {
			if in, _ := k.In(s.Access); in && !slices.Contains(s.Kinds, k) {
				c.unlisted(s, k)
			}
		}
		return
	}
	if len(s.binds) == 0 {
		return
	}
	last := &s.binds[len(s.binds)-1]
	var others []*Kind
	for _, k := range s.Access.Table.Kinds {
		if slices.Contains(s.Kinds, k) {
			continue
		}
		if in, _ := k.In(s.Access); in && s.meetsEquals(k) {
			others = append(others, k)
		}
	}
	if last.equal {
		for _, k := range others {
			c.unlisted(s, k)
		}
		return
	}
	if len(s.Kinds) > 1 && !last.ranged() && last.wire.Type == S {
		last.common = last.commonLiteral()
		switch {
		case len(others) == 0:
			last.shape = coverAll
		case last.common > 0 && !slices.ContainsFunc(others, func(k *Kind) bool { return last.prefixMeets(k) }):
			last.shape = coverPrefix
		}
		if last.shape == coverAll || last.shape == coverPrefix {
			return
		}
	}
	for _, k := range others {
		if last.meets(k) {
			c.unlisted(s, k)
		}
	}
}

func (c *compiler) unlisted(s *Stage, k *Kind) {
	c.errorf(at(s.Path, "items"), CodeRange, "add it to items, or keep it out by a literal in its key",
		"%s: %s can fall into the range that step %s reads, and is not listed", s.Procedure.Name, k.Name, s.label())
}

// meetsEquals reports whether items of a kind can have the values that the query's fixed attributes have.
func (s *Stage) meetsEquals(k *Kind) bool {
	for i := range s.binds {
		if b := &s.binds[i]; b.equal && !b.recipes[0].meets(k.recipe(b.wire.Name)) {
			return false
		}
	}
	return true
}

// commonLiteral is the length of what the literals behind the bound parts of all kinds begin with; 0 if the kinds build
// the parts differently.
func (b *bind) commonLiteral() int {
	n := len(b.values)
	common := b.recipes[0].Literals[n]
	for i, r := range b.recipes[1:] {
		if len(b.each[i+1]) != n || n >= len(r.Literals) {
			return 0
		}
		for j := range n {
			if r.Literals[j] != b.recipes[0].Literals[j] {
				return 0
			}
		}
		other := r.Literals[n]
		j := 0
		for j < len(common) && j < len(other) && common[j] == other[j] {
			j++
		}
		common = common[:j]
	}
	return len(common)
}

// prefixMeets reports whether items of a kind can begin with what all listed kinds begin with.
func (b *bind) prefixMeets(k *Kind) bool {
	r := k.recipe(b.wire.Name)
	if r.texts == nil {
		return true
	}
	l := newLang()
	b.recipes[0].describeParts(l, len(b.values))
	l.literal(b.recipes[0].Literals[len(b.values)][:b.common])
	l.any()
	return meet(l, r.texts)
}

// describeParts appends the literals and parts before the literal of part n.
func (r *Recipe) describeParts(l *lang, n int) {
	for i := range n {
		l.literal(r.Literals[i])
		r.Parts[i].codec.describe(l)
	}
}

// meets reports whether items of a kind can fall into the range of the bound attribute, whatever the parameters are.
func (b *bind) meets(k *Kind) bool {
	r := k.recipe(b.wire.Name)
	if r.texts == nil {
		return len(r.Parts) > 0 || b.numberMeets(r)
	}
	alike := true
	for i := range b.recipes {
		alike = alike && len(b.each[i]) == len(b.values)
	}
	n := 0
	if alike {
		n = len(b.values)
	}
	low, high := "", ""
	open := false
	for i, x := range b.recipes {
		lo, hi, unbounded := x.span(n, b)
		if i == 0 {
			low, high, open = lo, hi, unbounded
			continue
		}
		low, high, open = min(low, lo), max(high, hi), open || unbounded
	}
	least := newLang()
	b.recipes[0].describeParts(least, n)
	least.atLeast(low)
	if open {
		return meet(least, r.texts)
	}
	most := newLang()
	b.recipes[0].describeParts(most, n)
	most.atMost(high)
	return meet(least, most, r.texts)
}

// numberMeets compares constants of an N attribute.
func (b *bind) numberMeets(r *Recipe) bool {
	return slices.ContainsFunc(b.recipes, func(x *Recipe) bool { return x.meets(r) })
}

// span is what can stand behind the first n parts: the smallest and the largest text, whatever the parameters are.
// unbounded: there is no largest.
func (r *Recipe) span(n int, b *bind) (low, high string, unbounded bool) {
	lit := r.Literals[n]
	last := n == len(r.Parts)
	if last {
		return lit, lit, false
	}
	next, ok := keys.Successor(lit)
	low, high, unbounded = lit, next, !ok
	if !b.ranged() || n != len(b.values) {
		return low, high, unbounded
	}
	cd := r.Parts[n].codec
	if b.prefix != nil || cd.width == 0 {
		return low, high, unbounded
	}
	hasLow, hasHigh := b.low != nil, b.high != nil
	if cd.order == keys.Reversed {
		hasLow, hasHigh = hasHigh, hasLow
	}
	if hasLow {
		low = lit + cd.least
	}
	if hasHigh {
		high, unbounded = lit+cd.most, false
		if behind := r.Literals[n+1]; behind != "" || n+1 < len(r.Parts) {
			if end, ok := keys.Successor(high + strings.ToValidUTF8(behind[:min(1, len(behind))], "")); ok {
				high = end
			}
		}
	}
	return low, high, unbounded
}
