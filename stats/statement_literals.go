package stats

import "bytes"

// Programs that write values into the text of a statement have another text for each: such a text is known without them, as if they
// came with it.

// opened is a statement with ? in place of values that stand in its text.
type opened struct {
	text   []byte // as it stands in requests
	values []span // where the values stood
	order  []int  // what each ? stands for: a value, or -1 for the next parameter
}

type span struct{ from, to int }

// openLongest is the longest text that is looked through for values.
const openLongest = 1 << 12

// read replaces the texts and numbers of a statement by ?, where a ? may stand, and reports whether there are any. What is left in its
// text is part of what it says. text is a JSON string.
func (o *opened) read(text []byte) bool {
	*o = opened{text: o.text[:0], values: o.values[:0], order: o.order[:0]}
	if len(text) < 2 || len(text) > openLongest || text[0] != '"' || text[len(text)-1] != '"' { // what a program sends need not be JSON
		return false
	}
	var square, brace, copied int
	before := byte(' ') // the last one that is no space
	for i := 1; i < len(text)-1; {
		c, n := text[i], 1
		switch {
		case c == ' ':
			i++
			continue
		case c == '\\':
			switch n = 2; text[i+1] {
			case '"':
				end := bytes.Index(text[i+2:], []byte(`\"`))
				if end < 0 {
					return false
				}
				n = end + 4
			case 'n', 't', 'r':
				i += 2
				continue
			default:
				return false
			}
		case c == '\'':
			end := bytes.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return false
			}
			n = end + 2
			if square > 0 || brace > 1 || !takes(before) || text[i+n] == '\'' || next(text, i+n) == ':' || bytes.IndexByte(text[i:i+n], '\\') >= 0 {
				break
			}
			o.replace(text[copied:i], span{i + 1, i + n - 1})
			copied = i + n
		case c == '?':
			o.order = append(o.order, -1)
		case digit(c) || c == '-' && digit(text[i+1]):
			for alnum(text[i+n]) || text[i+n] == '_' || text[i+n] == '.' {
				n++
			}
			if square > 0 || brace > 1 || !takes(before) || plainNumber(text[i:]) != n {
				break
			}
			o.replace(text[copied:i], span{i, i + n})
			copied = i + n
		case alnum(c) || c == '_':
			for alnum(text[i+n]) || text[i+n] == '_' {
				n++
			}
		case c == '`', c == '-' && text[i+1] == '-', c == '/' && text[i+1] == '*': // Ion, a comment
			return false
		case c == '[':
			square++
		case c == ']':
			square--
		case c == '{':
			brace++
		case c == '}':
			brace--
		}
		before = text[i+n-1]
		if isWord(text[i:i+n], "AND", "BETWEEN") {
			before = '='
		}
		i += n
	}
	o.text = append(o.text, text[copied:]...)
	return len(o.values) > 0
}

func (o *opened) replace(text []byte, value span) {
	o.text = append(append(o.text, text...), '?')
	o.order = append(o.order, len(o.values))
	o.values = append(o.values, value)
}

// takes reports whether a ? may stand behind what ends so.
func takes(before byte) bool {
	switch before {
	case '=', '<', '>', '(', ',', ':':
		return true
	}
	return false
}

// plainNumber is how long the number is that a text begins with, if it is written as DynamoDB writes it, such as -12.5; 0 of none.
func plainNumber(text []byte) int {
	const most = 38 // digits
	digits := func(at int) (n int) {
		for at+n < len(text) && digit(text[at+n]) {
			n++
		}
		return n
	}
	at := 0
	if len(text) > 0 && text[0] == '-' {
		at = 1
	}
	whole := digits(at)
	if whole == 0 || whole > most || text[at] == '0' && whole > 1 {
		return 0
	}
	end := at + whole
	fraction := 0
	if end < len(text) && text[end] == '.' {
		fraction = digits(end + 1)
	}
	switch {
	case fraction > 0 && (whole+fraction > most || text[end+fraction] == '0'):
		return 0
	case fraction > 0:
		return end + 1 + fraction
	case at > 0 && text[at] == '0': // -0
		return 0
	}
	return end
}

// pieces are what stands around the values of a text: of another one with the same pieces the values are found at once.
type pieces struct {
	around [][]byte
	order  []int
}

func (o *opened) pieces(text []byte) *pieces {
	p, from := &pieces{order: append([]int(nil), o.order...)}, 0
	for _, v := range o.values {
		p.around = append(p.around, bytes.Clone(text[from:v.from]))
		from = v.to
	}
	p.around = append(p.around, bytes.Clone(text[from:]))
	return p
}

// find finds the values in a text that has these pieces.
func (p *pieces) find(o *opened, text []byte) bool {
	if p == nil {
		return false
	}
	o.values = o.values[:0]
	at := 0
	for i, piece := range p.around {
		if !bytes.HasPrefix(text[at:], piece) {
			return false
		}
		at += len(piece)
		if i == len(p.around)-1 {
			break
		}
		n := 0
		if piece[len(piece)-1] == '\'' {
			if n = bytes.IndexByte(text[at:], '\''); n < 0 || bytes.IndexByte(text[at:at+n], '\\') >= 0 {
				return false
			}
		} else if n = plainNumber(text[at:]); n == 0 {
			return false
		}
		o.values = append(o.values, span{at, at + n})
		at += n
	}
	return at == len(text)
}

// give makes parameters of the values that were found in a text and of those that came with it, in the order of its ?.
func (s *scratch) give(order []int, text []byte) {
	s.filled = s.filled[:0]
	came := s.given
	for _, i := range order {
		switch {
		case i < 0 && len(came) == 0:
			s.filled = append(s.filled, nil)
			continue
		case i < 0:
			s.filled, came = append(s.filled, came[0]), came[1:]
			continue
		}
		v, start := s.opened.values[i], len(s.text)
		if text[v.to] == '\'' {
			s.text = append(append(append(s.text, `{"S":"`...), text[v.from:v.to]...), `"}`...)
		} else {
			s.text = append(append(append(s.text, `{"N":"`...), text[v.from:v.to]...), `"}`...)
		}
		s.filled = append(s.filled, s.text[start:len(s.text):len(s.text)])
	}
	s.given, s.filled = s.filled, s.given
}
