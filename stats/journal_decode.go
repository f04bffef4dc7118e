package stats

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// decoder reads events that an encoder wrote, or somebody else: errors stick, numbers out of range are errors.
type decoder struct {
	b     []byte
	names []string
	err   error
}

var errRange = errors.New("a number out of range")

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.b = nil
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.fail(errRange)
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *decoder) long() int64 {
	n, size := binary.Varint(d.b)
	if size <= 0 {
		d.fail(errRange)
		return 0
	}
	d.b = d.b[size:]
	return n
}

// int is a number of things or bytes.
func (d *decoder) int() int {
	n := d.long()
	if n < 0 || n > 1<<40 {
		d.fail(errRange)
		return 0
	}
	return int(n)
}

// count is a number of elements that are to follow, each of at least so many bytes.
func (d *decoder) count(each int) int {
	n := d.uint()
	if n > uint64(len(d.b)/each) {
		d.fail(errRange)
		return 0
	}
	return int(n)
}

func (d *decoder) name() string {
	n := d.uint()
	if n >= uint64(len(d.names)) {
		d.fail(errRange)
		return ""
	}
	return d.names[n]
}

func (d *decoder) float() float64 {
	f := math.Float64frombits(reverse(d.uint()))
	if bad(f) || f > 1e18 {
		d.fail(errRange)
		return 0
	}
	return f
}

func (d *decoder) byte(most byte) byte {
	if len(d.b) == 0 || d.b[0] > most {
		d.fail(errRange)
		return 0
	}
	b := d.b[0]
	d.b = d.b[1:]
	return b
}

func (d *decoder) key() (k KeyID) {
	if len(d.b) < 8 {
		d.fail(errRange)
		return k
	}
	k.Hash = binary.LittleEndian.Uint64(d.b)
	d.b = d.b[8:]
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail(errRange)
		return KeyID{}
	}
	if n > 0 {
		k.Text = d.b[:n:n]
	}
	d.b = d.b[n:]
	return k
}

func (d *decoder) event() *Event {
	e := &Event{Operation: d.name(), Table: d.name(), Index: d.name(), Pattern: d.name(), Start: d.long()}
	if e.Start < 0 {
		d.fail(errRange)
	}
	e.Took = time.Duration(d.long())
	e.Partition, e.Item, e.Caller = d.key(), d.key(), d.uint()
	for _, n := range [...]*int{&e.Attempt, &e.Items, &e.Scanned, &e.Sent, &e.Received, &e.Refused, &e.Unprocessed} {
		*n = d.int()
	}
	e.Read, e.Write, e.Weight = d.float(), d.float(), d.float()
	e.Units, e.Outcome = Source(d.byte(byte(Computed))), Outcome(d.byte(byte(outcomes-1)))
	flags := d.byte(31)
	e.More, e.Resumed = flags&1 != 0, flags&2 != 0
	if n := d.count(4); n > 0 {
		e.Arms = make([]Arm, n)
		for i := range e.Arms {
			e.Arms[i] = Arm{d.name(), d.name(), d.float(), d.float()}
		}
	}
	if n := d.count(2); n > 0 {
		e.Throttling = make([]Throttle, n)
		for i := range e.Throttling {
			e.Throttling[i] = Throttle{d.name(), d.name()}
		}
	}
	if n := d.count(24); n > 0 {
		e.Parts = make([]Part, n)
		for i := range e.Parts {
			e.Parts[i] = Part{d.name(), d.name(), d.name(), d.key(), d.key(), d.float(), d.float(), d.float()}
		}
	}
	if flags&4 != 0 {
		e.Detail = d.detail()
	}
	if flags&8 != 0 {
		e.Asks = Asks(d.uint())
		for range d.count(8) {
			e.Entries = append(e.Entries, d.hash())
		}
	}
	if flags&16 != 0 {
		e.As = d.name()
	}
	return e
}

func (d *decoder) hash() uint64 {
	if len(d.b) < 8 {
		d.fail(errRange)
		return 0
	}
	h := binary.LittleEndian.Uint64(d.b)
	d.b = d.b[8:]
	return h
}

func (d *decoder) size(s *Size) {
	n := d.int()
	s.Bytes = n >> 1
	if n&1 == 0 {
		return
	}
	s.Content = d.hash()
	m := d.count(14)
	if m > printsKept {
		d.fail(errRange)
		return
	}
	for range m {
		p := SeenPrint{Name: []byte(d.name()), Type: d.name(), Bytes: d.int(), Value: d.hash(), Number: d.float()}
		n := d.count(1)
		p.Shape = d.b[:n:n]
		d.b = d.b[n:]
		s.Prints = append(s.Prints, p)
	}
}

func (d *decoder) detail() *Detail {
	out := &Detail{Weight: d.float(), Step: d.float(), Asks: Asks(d.uint())}
	if n := d.count(11); n > 0 {
		out.Sizes = make([]Size, n)
		for i := range out.Sizes {
			out.Sizes[i] = Size{Table: d.name(), Item: d.key()}
			d.size(&out.Sizes[i])
		}
	}
	if n := d.count(4); n > 0 {
		out.Attributes = make([]Attribute, n)
		for i := range out.Attributes {
			out.Attributes[i] = Attribute{[]byte(d.name()), Use(d.byte(byte(uses - 1))), d.int(), d.int()}
		}
	}
	return out
}
