package stats

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// printsKept bounds the attributes of an item that are kept, printedItems the items of all tables that have any.
const (
	printsKept   = 48
	printedItems = 4096
)

// SeenPrint is an attribute of a sampled item in an Event: what Print is made of.
type SeenPrint struct {
	Name  []byte
	Type  string
	Bytes int
	Value uint64
	// Shape is as in Print, with every word that may stand for itself between two bytes, 1 and 2, behind a letter for its class:
	// l, c or u for <word>, <Word> and <WORD>. Where keys are hashed there are no words.
	Shape  []byte
	Number float64
}

// printer makes the prints of items, in memory that it uses again.
type printer struct {
	list  []SeenPrint
	texts []attributeText
	shape []byte
}

// attributeText is an attribute whose value may be a part of others.
type attributeText struct {
	name, text []byte
	number     bool
	key        bool
}

// print lists the attributes of an item in the order of their names.
func (p *printer) print(c *Collector, keys *tableKeys, fields []attr.RawField) []SeenPrint {
	start := len(p.list)
	p.texts = p.texts[:0]
	for i := range fields[:min(len(fields), 2*printsKept)] {
		name := fields[i].Name
		one := SeenPrint{Name: name, Bytes: fields[i].Size}
		kind, inner := inside(fields[i].Value)
		one.Type = typeName(kind)
		one.Value = c.valueHash(kind, inner, 0)
		switch one.Type {
		case "S":
			if text := bytes.Trim(inner, `"`); len(text) <= maxShaped && bytes.IndexByte(text, '\\') < 0 {
				p.texts = append(p.texts, attributeText{name, text, false, keys.has(name)})
				one.Number = timeText(text)
			}
		case "N":
			if digits := trimNumber(inner); len(digits) > 0 {
				p.texts = append(p.texts, attributeText{name, digits, true, keys.has(name)})
				one.Number = timeNumber(digits)
			}
		}
		p.list = append(p.list, one)
	}
	list := p.list[start:]
	slices.SortFunc(list, func(a, b SeenPrint) int { return bytes.Compare(a.Name, b.Name) })
	list = list[:min(len(list), printsKept):len(list)]
	for i := range list {
		if list[i].Type != "S" {
			continue
		}
		for j := range p.texts {
			if t := &p.texts[j]; bytes.Equal(t.name, list[i].Name) && len(t.text) > 0 {
				from := len(p.shape)
				p.shape = appendShape(p.shape, t, p.texts, !c.hashed)
				list[i].Shape = p.shape[from:len(p.shape):len(p.shape)]
			}
		}
	}
	return list
}

// reset forgets what was printed.
func (p *printer) reset() { p.list, p.shape = p.list[:0], p.shape[:0] }

// inside is the one member of an attribute's value: its type and what is inside.
func inside(value json.RawMessage) (kind, inner []byte) {
	for kind, inner := range attr.Members(value) {
		return kind, inner
	}
	return nil, nil
}

// typeName is a string that was there before.
func typeName(kind []byte) string {
	for _, known := range [...]string{"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"} {
		if string(kind) == known {
			return known
		}
	}
	return "?"
}

// valueHash is the same for values that are the same: however text is escaped or a number is written, and whatever the order
// of a map or set is.
func (c *Collector) valueHash(kind, inner []byte, depth int) uint64 {
	if depth > attr.MaxDepth+1 || len(kind) == 0 {
		return 0
	}
	seed := uint64(kind[0]) | uint64(kind[len(kind)-1])<<8
	switch string(kind) {
	case "S":
		return c.textHash(seed, inner)
	case "N":
		return c.hash.sum(seed, trimNumber(inner))
	case "SS", "NS", "BS":
		sum := seed
		for one := range attr.Elements(inner) {
			if string(kind) == "NS" {
				sum += c.hash.sum(seed, trimNumber(one))
			} else {
				sum += c.textHash(seed, one)
			}
		}
		return sum | 1
	case "L":
		sum := seed
		for one := range attr.Elements(inner) {
			k, v := inside(one)
			sum = fold(sum^0x9e3779b97f4a7c15, c.valueHash(k, v, depth+1)|1)
		}
		return sum | 1
	case "M":
		sum := seed
		for name, one := range attr.Members(inner) {
			k, v := inside(one)
			sum += fold(c.hash.sum(seed, name), c.valueHash(k, v, depth+1)|1)
		}
		return sum | 1
	}
	return c.hash.sum(seed, inner)
}

func (c *Collector) textHash(seed uint64, quoted []byte) uint64 {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		var text string
		if json.Unmarshal(quoted, &text) == nil {
			return c.hash.sum(seed, []byte(text))
		}
	}
	return c.hash.sum(seed, bytes.Trim(quoted, `"`))
}

// trimNumber is a number as it is written shortest, unless it has an exponent.
func trimNumber(quoted []byte) []byte {
	n := bytes.Trim(quoted, `"`)
	if bytes.ContainsAny(n, "eE\\") {
		return n
	}
	if bytes.IndexByte(n, '.') >= 0 {
		n = bytes.TrimRight(bytes.TrimRight(n, "0"), ".")
	}
	n = bytes.TrimPrefix(n, []byte("+"))
	for len(n) > 1 && n[0] == '0' && n[1] != '.' {
		n = n[1:]
	}
	return n
}

// The seconds from which to which a number can be a time; the last one is what some take for never.
var firstTime, lastTime = 978307200.0, 4102444800.0 // 2001, 2100

// timeNumber is a number if it can be a time.
func timeNumber(digits []byte) float64 {
	if len(digits) < 9 || len(digits) > 20 {
		return 0
	}
	n, err := strconv.ParseFloat(string(digits), 64)
	if err != nil || (n < firstTime || n > lastTime) && (n < 1000*firstTime || n > 1000*lastTime) {
		return 0
	}
	return n
}

// timeText is a text that is a day or a moment in the form of ISO 8601 as seconds since 1970, 0 of any other: 2026-11-22,
// 2026-11-22T12:00:00.5Z, 2026-11-22 12:00:00+0100. Package time would allocate for what is none.
func timeText(text []byte) float64 {
	const day, clock = "2006-01-02", "15:04:05"
	if len(text) < len(day) || text[4] != '-' || text[7] != '-' {
		return 0
	}
	year, month, date := digits(text[:4]), digits(text[5:7]), digits(text[8:10])
	var hour, minute, second, zone int
	if rest := text[len(day):]; len(rest) > 0 {
		if len(rest) < 1+len(clock) || rest[0] != 'T' && rest[0] != ' ' || rest[3] != ':' || rest[6] != ':' {
			return 0
		}
		hour, minute, second = digits(rest[1:3]), digits(rest[4:6]), digits(rest[7:9])
		rest = rest[1+len(clock):]
		if len(rest) > 0 && rest[0] == '.' {
			rest = bytes.TrimLeft(rest[1:], "0123456789")
		}
		switch {
		case len(rest) == 0, string(rest) == "Z":
		case len(rest) >= 5 && len(rest) <= 6 && (rest[0] == '+' || rest[0] == '-'):
			hours, minutes := digits(rest[1:3]), digits(rest[len(rest)-2:])
			if hours < 0 || minutes < 0 {
				return 0
			}
			if zone = hours*3600 + minutes*60; rest[0] == '-' {
				zone = -zone
			}
		default:
			return 0
		}
	}
	if year < 0 || month < 1 || month > 12 || date < 1 || date > 31 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return 0
	}
	at := float64(time.Date(year, time.Month(month), date, hour, minute, second, 0, time.UTC).Unix() - int64(zone))
	if at < firstTime || at > lastTime {
		return 0
	}
	return at
}

// digits is the number that a text of digits is, -1 of any other.
func digits(text []byte) (n int) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// values are the hashes of the values of a key that is shown whole.
func (c *Collector) values(key string) (all []uint64) {
	if c.hashed || key == "" || len(key) >= maxKeyText && !json.Valid([]byte(key)) {
		return nil
	}
	for _, value := range attr.Members([]byte(key)) {
		kind, inner := inside(value)
		all = append(all, c.valueHash(kind, inner, 0))
	}
	return all
}

// see takes over what an item has now.
func (s *SizedItem) see(seen []SeenPrint) {
	seen = seen[:min(len(seen), printsKept)]
	same := len(seen) == len(s.Attributes)
	for i := 0; same && i < len(seen); i++ {
		same = s.Attributes[i].Name == string(seen[i].Name)
	}
	before := s.Attributes
	if !same {
		s.Attributes = make([]Print, len(seen))
	}
	next := 0
	for i := range seen {
		n, p := &seen[i], &s.Attributes[i]
		old := p
		if !same {
			for next < len(before) && before[next].Name < string(n.Name) {
				next++
			}
			if next < len(before) && before[next].Name == string(n.Name) {
				old = &before[next]
				*p = *old
			} else {
				*p = Print{Name: string(n.Name), Value: n.Value}
				if len(before) > 0 {
					p.Changes = 1
				}
				old = p
			}
		}
		if old.Value != n.Value {
			p.Changes++
		}
		p.Type, p.Bytes, p.Value, p.Number = n.Type, n.Bytes, n.Value, n.Number
		if p.Shape != string(n.Shape) {
			p.Shape = string(n.Shape)
		}
	}
}

// joinPrints takes the attributes of who saw the item last, and the changes of both.
func (s *SizedItem) joinPrints(o *SizedItem, later bool) {
	newer, older := s.Attributes, o.Attributes
	if later && len(o.Attributes) > 0 || len(newer) == 0 {
		newer, older = older, newer
	}
	s.Attributes = slices.Clone(newer)
	for i := range s.Attributes {
		p := &s.Attributes[i]
		if at, known := slices.BinarySearchFunc(older, p.Name, func(q Print, name string) int { return bytes.Compare([]byte(q.Name), []byte(name)) }); known {
			p.Changes += older[at].Changes
		}
	}
}

func (p *Print) bad() bool {
	return p.Bytes < 0 || bad(p.Changes) || bad(p.Number) || math.IsInf(p.Number, 0)
}
