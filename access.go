package tablewright

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
)

// access is a table's own key or an index as one kind of item fills it: which parts it has, and how values for them
// become a key condition.
type access struct {
	d         *decl  // of the type that is answered
	index     string // "" for the table itself
	global    bool
	partition []*column
	sort      []*column
	partPaths []attrPath
	sortPaths []attrPath // that the partition does not tell
	shards    int        // over how many the partition is spread; 0: it is not, or the partition tells which
	shardPart attrPath   // the part that is {shard}, if it is
	bound     *keyCodec  // of P
	steps     []any      // attr.Codec[A] of each sort part that is declared
	project   []string   // nil: whole items, or what the index has
	projected []string   // what an index has that has not all; nil: everything
	keys      []string   // attributes of a position: the index's key and the table's
	overlay   []*column  // wire attributes from whose texts fields are read that the index has not
}

// newAccess resolves an index, or the table's key, for items that are answered as d.
func newAccess(d *decl, name string) (*access, error) {
	t := d.table
	index, ok := t.index(name)
	if !ok {
		return nil, fmt.Errorf("table %s has no index %s", t.p.Name, name)
	}
	x := &access{d: d}
	if name != t.p.Name {
		x.index = name
		_, x.global = t.p.GSI[name]
	}
	source := d.origin()
	resolve := func(names []string) (wires []*column, err error) {
		for _, n := range names {
			w := source.column(n)
			if w == nil {
				return nil, fmt.Errorf("%s has no %s, by which %s is sorted: give it a template in Set", source.name, n, name)
			}
			wires = append(wires, w)
		}
		return wires, nil
	}
	var err error
	if x.partition, err = resolve(index.Partition); err != nil {
		return nil, err
	}
	if x.sort, err = resolve(index.Sort); err != nil {
		return nil, err
	}
	for _, w := range x.partition {
		for _, p := range w.paths() {
			if !slices.Contains(x.partPaths, p) {
				x.partPaths = append(x.partPaths, p)
			}
		}
	}
	x.scatter(source)
	for _, w := range x.sort {
		if !x.sortParts(w) {
			break
		}
	}
	if n := len(x.partPaths) + len(x.sortPaths); n > maxParts {
		return nil, fmt.Errorf("%s has %d parts: at most %d can be addressed", name, n, maxParts)
	}
	for _, w := range slices.Concat(x.partition, x.sort, source.key) {
		if !slices.Contains(x.keys, w.name) {
			x.keys = append(x.keys, w.name)
		}
	}
	return x, x.cover(index)
}

// sortParts adds the parts of an attribute of the sort side; false if what follows cannot be addressed: a random shard
// stands before it.
func (x *access) sortParts(w *column) bool {
	for _, p := range w.paths() {
		if p == shardPath {
			return false
		}
		follows := slices.Contains(x.partPaths, p.plain()) || slices.Contains(x.sortPaths, p.plain())
		if !follows && !slices.Contains(x.partPaths, p) {
			x.sortPaths = append(x.sortPaths, p)
		}
	}
	return true
}

// cover finds out where the fields of the answered type come from when the index has not the whole item.
func (x *access) cover(index plan.Index) error {
	d, source := x.d, x.d.origin()
	keyNames := slices.Concat(index.Partition, index.Sort)
	for _, w := range source.key {
		keyNames = append(keyNames, w.name)
	}
	whole := index.Project == "" || index.Project == plan.All
	has := func(name string) bool {
		return whole || slices.Contains(keyNames, name) || slices.Contains(index.Include, name)
	}
	if !whole {
		x.projected = slices.Concat(keyNames, index.Include)
	}
	for _, name := range fieldNames(d) {
		if was := d.fields[name].Was; has(name) && was != "" && !has(was) {
			return fmt.Errorf("index %s projects %s, and not %s, which it was: items that have it under the name before would be read without it", x.index, name, was)
		}
		if has(name) {
			continue
		}
		w := x.tells(attrPath(name), keyNames)
		if w == nil {
			return fmt.Errorf("index %s does not project %s of %s: declare a smaller type for what it answers", x.index, name, d.typ)
		}
		if !slices.Contains(x.overlay, w) {
			x.overlay = append(x.overlay, w)
		}
	}
	if d.project != nil && whole {
		x.project = slices.Clone(d.project)
		for _, name := range keyNames {
			if !slices.Contains(x.project, name) {
				x.project = append(x.project, name)
			}
		}
	}
	return nil
}

// tells finds the key attribute from whose text an attribute can be read.
func (x *access) tells(p attrPath, names []string) *column {
	for _, name := range names {
		w := x.d.origin().column(name)
		if w == nil || w.native() {
			continue
		}
		for _, part := range w.tmpl.parts {
			if part.path == p && part.codec.ReadsBack() {
				return w
			}
		}
	}
	return nil
}

// rangeOp is what a key condition demands of the part after those that are equal to something.
type rangeOp uint8

const (
	rangeNone rangeOp = iota
	rangeFrom
	rangeAfter
	rangeTo
	rangeBefore
	rangeBetween
	rangePrefix
)

// keyCondition makes the key condition of the parts bound in s. skip is a value of the last attribute that the condition
// includes though it should not; the zero Value if there is none.
func (x *access) keyCondition(s *state) (terms []expr.KeyTerm, skip *expr.KeyTerm, err error) {
	get := s.bound
	for i, w := range x.partition {
		v, err := w.value(get)
		if err == nil && len(x.partition) == 1 && i == 0 {
			err = checkKeySize(w.name, v, true)
		}
		if err != nil {
			return nil, nil, err
		}
		terms = append(terms, expr.KeyTerm{Attribute: w.name, Op: expr.KeyEqual, Low: v})
	}
	for _, w := range x.sort {
		if w.native() && s.op == rangeNone {
			if _, known := get(attrPath(w.name)); !known {
				return terms, nil, nil
			}
		}
		v, err := w.value(get)
		var unknown errUnknown
		switch {
		case err == nil:
			terms = append(terms, expr.KeyTerm{Attribute: w.name, Op: expr.KeyEqual, Low: v})
			continue
		case !errors.As(err, &unknown):
			return nil, nil, err
		case w.native():
			if s.op == rangeNone {
				return terms, nil, nil
			}
			term, err := nativeRange(w, s)
			return append(terms, term), nil, err
		}
		term, skip, err := x.textRange(w, s, get)
		if err != nil || term.Op == 0 {
			return terms, nil, err
		}
		return append(terms, term), skip, nil
	}
	return terms, nil, nil
}

var nativeOps = [...]expr.KeyOp{
	rangeFrom: expr.KeyAtLeast, rangeAfter: expr.KeyGreater, rangeTo: expr.KeyAtMost, rangeBefore: expr.KeyLess,
	rangeBetween: expr.KeyBetween, rangePrefix: expr.KeyBeginsWith,
}

// nativeRange is a range over an attribute that is stored as it is.
func nativeRange(w *column, s *state) (expr.KeyTerm, error) {
	term := expr.KeyTerm{Attribute: w.name, Op: nativeOps[s.op], Low: s.lo}
	switch s.op {
	case rangeBetween:
		term.High = s.hi
		if attr.Compare(s.lo, s.hi) > 0 {
			return term, fmt.Errorf("%s: the lower bound is above the upper", w.name)
		}
	case rangePrefix:
		if s.lo.Str() == "" {
			return term, fmt.Errorf("%s: an empty prefix: leave it out", w.name)
		}
	}
	return term, nil
}

// textRange is a range within a template: over its first part that is not known, or over all that begins with what is.
func (x *access) textRange(w *column, s *state, get lookup) (term expr.KeyTerm, skip *expr.KeyTerm, err error) {
	t := w.tmpl
	term.Attribute = w.name
	var prefix []byte
	at := 0
	for ; at < len(t.parts); at++ {
		prefix = append(prefix, t.literals[at]...)
		v, known := get(t.parts[at].part())
		if !known || t.parts[at].path == shardPath {
			break
		}
		if prefix, err = t.appendPart(prefix, at, v); err != nil {
			return term, nil, err
		}
	}
	if s.op == rangeNone {
		if len(prefix) > 0 {
			term.Op, term.Low = expr.KeyBeginsWith, attr.Text(string(prefix))
		}
		return term, nil, nil
	}
	part := t.parts[at]
	if s.op == rangePrefix {
		if !part.codec.KeepsPrefix() || s.lo.Str() == "" {
			return term, nil, fmt.Errorf("%s: no prefix of %s: its codec does not keep prefixes, or it is empty", w.name, part.path)
		}
		text, err := t.appendPart(prefix, at, s.lo)
		term.Op, term.Low = expr.KeyBeginsWith, attr.Text(string(text))
		return term, nil, err
	}
	b, err := x.bounds(t, at, prefix, s)
	if err != nil {
		return term, nil, err
	}
	return b.term(w, t)
}

// bounds are the ends of a range of texts.
type bounds struct {
	low, high         string
	hasLow, hasHigh   bool
	lowOpen, highOpen bool // the end itself is not in the range
	other             bool // high is no text of this kind of item: it does not matter whether it is in
}

func (x *access) bounds(t *template, at int, prefix []byte, s *state) (b bounds, err error) {
	part := t.parts[at]
	lo, hi, op := s.lo, s.hi, s.op
	switch part.codec.Order() {
	case keys.Reversed: // what is greater is written less
		op = [...]rangeOp{rangeFrom: rangeTo, rangeAfter: rangeBefore, rangeTo: rangeFrom, rangeBefore: rangeAfter, rangeBetween: rangeBetween}[op]
		if op == rangeBetween {
			lo, hi = hi, lo
		}
	case keys.Same:
	default:
		return b, fmt.Errorf("%s is written as %s, which has no order to range over", part.path, part.codec)
	}
	base := string(prefix)
	encode := func(v attr.Value) (string, error) {
		text, err := t.appendPart([]byte(base), at, v)
		return string(text), err
	}
	next := t.literals[at+1]
	goesOn := next != "" || at+1 < len(t.parts)
	// behind is the first text after all that go on from text: no part holds the byte that its next literal begins with,
	// or all its texts have one length.
	behind := func(text string) string {
		after, _ := keys.Successor(text + next)
		return after
	}
	switch op {
	case rangeFrom, rangeBetween:
		b.hasLow = true
		b.low, err = encode(lo)
	case rangeAfter:
		b.hasLow, b.lowOpen = true, !goesOn
		if b.low, err = encode(lo); goesOn {
			b.low = behind(b.low)
		}
	}
	if err != nil {
		return b, err
	}
	switch op {
	case rangeTo, rangeBetween:
		v := lo
		if op == rangeBetween {
			v = hi
		}
		b.hasHigh = true
		if b.high, err = encode(v); goesOn {
			b.high, b.other = behind(b.high), true
		}
	case rangeBefore:
		b.hasHigh, b.highOpen, b.other = true, true, goesOn
		b.high, err = encode(lo)
	}
	if err != nil {
		return b, err
	}
	if b.hasLow && b.hasHigh && b.low > b.high {
		return b, fmt.Errorf("%s: the lower bound is above the upper", part.path)
	}
	if base != "" { // stay within what is bound
		if !b.hasLow {
			b.low, b.hasLow = base, true
		}
		if !b.hasHigh {
			if b.high, b.hasHigh = keys.Successor(base); b.hasHigh {
				b.other = true
			}
		}
	}
	return b, nil
}

// term makes one term of the bounds. BETWEEN includes both ends: an open lower one is moved up to the next text, an open
// upper one has no text before it and is passed over when it is read.
func (b bounds) term(w *column, t *template) (term expr.KeyTerm, skip *expr.KeyTerm, err error) {
	term.Attribute = w.name
	value := func(text string) attr.Value {
		v, bad := t.wireValue([]byte(text))
		if bad != nil {
			err = bad
		}
		return v
	}
	switch {
	case b.hasLow && b.hasHigh:
		if b.lowOpen && t.wire != plan.N {
			b.low = keys.Next(b.low)
		}
		term.Op, term.Low, term.High = expr.KeyBetween, value(b.low), value(b.high)
		if b.highOpen && !b.other {
			skip = &expr.KeyTerm{Attribute: w.name, Op: expr.KeyEqual, Low: term.High}
		}
	case b.hasLow && b.lowOpen:
		term.Op, term.Low = expr.KeyGreater, value(b.low)
	case b.hasLow:
		term.Op, term.Low = expr.KeyAtLeast, value(b.low)
	case b.highOpen:
		term.Op, term.Low = expr.KeyLess, value(b.high)
	default:
		term.Op, term.Low = expr.KeyAtMost, value(b.high)
	}
	return term, skip, err
}
