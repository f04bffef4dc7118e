package tablewright

// What nearly every answer is: JSON as the service writes it, without white space, escapes or exponents. What it cost stands in a few
// short members, which are read here from their bytes; an answer that is written otherwise is read by a Decoder.

// meterWritten is meter of an answer that is written so, and reports whether it was one: if not, what it left is worth nothing.
func (c *Call) meterWritten() bool {
	t := writtenText{b: c.Response}
	if !t.pass('{') {
		return false
	}
	if t.pass('}') {
		return t.i == len(t.b)
	}
	told := !c.asksUnits()
	for {
		switch string(t.name()) {
		case "ConsumedCapacity":
			told = true
			c.consumed(&t)
		case "Count":
			c.Items = int(t.number())
		case "ScannedCount":
			c.Scanned = int(t.number())
		case "Item":
			c.Items, c.Scanned = 1, 1
			return !t.bad && (told || c.meterEnd('}'))
		case "Items":
			return !t.bad && c.Operation != executeStatement && c.meterEnd(']')
		default:
			return false
		}
		if !t.pass(',') {
			return t.pass('}') && !t.bad && t.i == len(t.b)
		}
	}
}

// consumed reads a ConsumedCapacity, of one table or several.
func (c *Call) consumed(t *writtenText) {
	if !t.pass('[') {
		c.consumedOf(t)
		return
	}
	for more := !t.pass(']'); more && !t.bad; {
		c.consumedOf(t)
		if more = t.pass(','); !more {
			t.need(']')
		}
	}
}

func (c *Call) consumedOf(t *writtenText) {
	var table string
	var total, base unitMembers
	based, from := false, len(c.arms)
	for t.need('{'); !t.bad; {
		switch name := t.name(); string(name) {
		case "TableName":
			table = c.declared(t.text())
		case "Table":
			based = true
			base.written(t)
		case "GlobalSecondaryIndexes", "LocalSecondaryIndexes":
			t.need('{')
			for more := !t.pass('}'); more && !t.bad; {
				a := arm{index: c.indexName(t.name())}
				var u unitMembers
				u.written(t)
				a.Units = u.units(c.Reads())
				c.arms = append(c.arms, a)
				if more = t.pass(','); !more {
					t.need('}')
				}
			}
		default:
			total.writtenMember(t, name)
		}
		if !t.pass(',') {
			t.need('}')
			break
		}
	}
	c.consume(table, from, &total, &base, based)
}

// indexName is a string that was there before, where the call is one of the index.
func (c *Call) indexName(name []byte) string {
	if c.Index == string(name) {
		return c.Index
	}
	return string(name)
}

// written reads an object of units.
func (u *unitMembers) written(t *writtenText) {
	for t.need('{'); !t.bad; {
		u.writtenMember(t, t.name())
		if !t.pass(',') {
			t.need('}')
			return
		}
	}
}

func (u *unitMembers) writtenMember(t *writtenText, name []byte) {
	switch string(name) {
	case "CapacityUnits":
		u.all = t.number()
	case "ReadCapacityUnits":
		u.in, u.split = t.number(), true
	case "WriteCapacityUnits":
		u.out, u.split = t.number(), true
	default:
		t.bad = true
	}
}

// writtenText is read from its begin. What stands there in another way than the service writes makes it bad, for good.
type writtenText struct {
	b   []byte
	i   int
	bad bool
}

func (t *writtenText) pass(c byte) bool {
	if t.i < len(t.b) && t.b[t.i] == c {
		t.i++
		return true
	}
	return false
}

func (t *writtenText) need(c byte) {
	if !t.pass(c) {
		t.bad = true
	}
}

// text is a text without escapes.
func (t *writtenText) text() []byte {
	t.need('"')
	for i := t.i; i < len(t.b); i++ {
		switch t.b[i] {
		case '"':
			text := t.b[t.i:i]
			t.i = i + 1
			return text
		case '\\':
			t.bad = true
			return nil
		}
	}
	t.bad = true
	return nil
}

// name is that of a member, its colon passed.
func (t *writtenText) name() []byte {
	name := t.text()
	t.need(':')
	return name
}

// tens are powers of ten. A number of 15 digits at most, divided by one of them, is the float64 that is nearest to what is written.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

func (t *writtenText) number() float64 {
	var n uint64
	digits, decimals, dot := 0, 0, false
	for ; t.i < len(t.b); t.i++ {
		switch c := t.b[t.i]; {
		case c-'0' <= 9:
			n = n*10 + uint64(c-'0')
			digits++
			if dot {
				decimals++
			}
			continue
		case c == '.' && !dot && digits > 0:
			dot = true
			continue
		}
		break
	}
	if digits == 0 || digits >= len(tens) || dot && decimals == 0 {
		t.bad = true
		return 0
	}
	return float64(n) / tens[decimals]
}
