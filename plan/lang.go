package plan

// A lang is the set of texts that a template, or the range of a query, can produce: a small automaton over bytes. Two
// languages meet if one text is in both; that is how Compile finds out which items can fall into which ranges.
//
// Languages are built from left to right. Each method below continues at the state where the last one ended.
type lang struct {
	edges [][]edge // by state
	at    int32    // where the next piece starts; accepts when done
}

// edge leads on for the bytes lo to hi, or for nothing.
type edge struct {
	to     int32
	lo, hi byte
	empty  bool
}

func newLang() *lang { return &lang{edges: make([][]edge, 1, 32)} }

func (l *lang) state() int32 {
	l.edges = append(l.edges, nil)
	return int32(len(l.edges) - 1)
}

func (l *lang) edge(from, to int32, lo, hi byte) {
	l.edges[from] = append(l.edges[from], edge{to: to, lo: lo, hi: hi})
}

// class is one byte of lo to hi.
func (l *lang) class(lo, hi byte) {
	next := l.state()
	l.edge(l.at, next, lo, hi)
	l.at = next
}

// literal is the text itself.
func (l *lang) literal(s string) {
	for i := range len(s) {
		l.class(s[i], s[i])
	}
}

// shape is as many bytes as pattern has: 0 stands for any digit, all others for themselves.
func (l *lang) shape(pattern string) {
	for i := range len(pattern) {
		if pattern[i] == '0' {
			l.class('0', '9')
		} else {
			l.class(pattern[i], pattern[i])
		}
	}
}

// loop starts a state of its own for a repetition, so that what came before it is not repeated too.
func (l *lang) loop() int32 {
	next := l.state()
	l.edges[l.at] = append(l.edges[l.at], edge{to: next, empty: true})
	l.at = next
	return next
}

// any is any text.
func (l *lang) any() {
	s := l.loop()
	l.edge(s, s, 0x00, 0xff)
}

// high is any text without the bytes 00 to 24 hex.
func (l *lang) high() {
	s := l.loop()
	l.edge(s, s, 0x25, 0xff)
}

// escaped is what codec text writes: no bytes below $, and after $ two upper-case hex digits.
func (l *lang) escaped() {
	s := l.loop()
	l.edge(s, s, 0x25, 0xff)
	a, b := l.state(), l.state()
	l.edge(s, a, '$', '$')
	l.edge(a, b, '0', '2')
	l.edge(b, s, '0', '9')
	l.edge(b, s, 'A', 'F')
}

// oneOf is one of the texts.
func (l *lang) oneOf(texts []string) {
	from, end := l.at, l.state()
	for _, s := range texts {
		at := from
		for i := range len(s) {
			next := end
			if i < len(s)-1 {
				next = l.state()
			}
			l.edge(at, next, s[i], s[i])
			at = next
		}
		if s == "" {
			l.edges[from] = append(l.edges[from], edge{to: end, empty: true})
		}
	}
	l.at = end
}

// atLeast is any text that is not before low in the order of bytes.
func (l *lang) atLeast(low string) {
	all := l.state()
	l.edge(all, all, 0x00, 0xff)
	for i := range len(low) {
		if low[i] < 0xff {
			l.edge(l.at, all, low[i]+1, 0xff)
		}
		next := l.state()
		l.edge(l.at, next, low[i], low[i])
		l.at = next
	}
	l.edges[l.at] = append(l.edges[l.at], edge{to: all, empty: true})
	l.at = all
}

// atMost is any text that is not behind high.
func (l *lang) atMost(high string) {
	all, end := l.state(), l.state()
	l.edge(all, all, 0x00, 0xff)
	l.edges[all] = append(l.edges[all], edge{to: end, empty: true})
	for i := range len(high) {
		l.edges[l.at] = append(l.edges[l.at], edge{to: end, empty: true}) // a text that ends here is before high
		if high[i] > 0 {
			l.edge(l.at, all, 0x00, high[i]-1)
		}
		next := l.state()
		l.edge(l.at, next, high[i], high[i])
		l.at = next
	}
	l.edges[l.at] = append(l.edges[l.at], edge{to: end, empty: true})
	l.at = end
}

// meet reports whether a text is in all of the languages.
func meet(ls ...*lang) bool {
	type states [3]int32
	if len(ls) > len(states{}) {
		panic("plan: too many languages to intersect")
	}
	start := states{}
	seen := map[states]bool{start: true}
	todo := []states{start}
	visit := func(s states) {
		if !seen[s] {
			seen[s] = true
			todo = append(todo, s)
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		done := true
		for i, l := range ls {
			done = done && s[i] == l.at
			for _, e := range l.edges[s[i]] {
				if e.empty {
					next := s
					next[i] = e.to
					visit(next)
				}
			}
		}
		if done {
			return true
		}
		var step func(i int, next states, lo, hi byte)
		step = func(i int, next states, lo, hi byte) {
			if i == len(ls) {
				visit(next)
				return
			}
			for _, e := range ls[i].edges[s[i]] {
				if !e.empty && max(e.lo, lo) <= min(e.hi, hi) {
					next[i] = e.to
					step(i+1, next, max(e.lo, lo), min(e.hi, hi))
				}
			}
		}
		step(0, s, 0x00, 0xff)
	}
	return false
}
