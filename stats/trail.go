package stats

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/tablewright/tablewright/attr"
)

// trails tell whether a get depends on the one before it: whether the key that a caller asks for stood in the item that it was given
// just before. Of gets that are looked into, the item's values are kept, as hashes and until the same caller's next get.
type trails [64]trail

// trail is what the last get of a caller brought.
type trail struct {
	caller atomic.Uint64 // of the last get
	noted  atomic.Bool   // its answer is known
	turn   atomic.Uint32 // counts those that could be noted

	mu     sync.Mutex
	of     uint64    // caller
	key    [2]uint64 // what it asked for: a part that stays the same leads nowhere
	end    int64
	values [32]uint64 // which hashes there are: two bits each
}

// notedOf is of how many answers that could be noted one is: reading them takes a microsecond.
const notedOf = 8

// No more bytes and values than these are looked at in an answer: keys stand in attributes that are small.
const (
	trailBytes  = 1 << 10
	trailValues = 48
)

// of is the trail of a caller; nil if the caller is not known. Calls under context.Background share one: they are one goroutine's, as in a
// script, or their trail leads nowhere.
func (t *trails) of(caller uint64) *trail {
	if caller == 0 {
		return nil
	}
	return &t[stripeOf(spread(caller))]
}

// follow marks a get whose caller's get before was noted: Preceded, and Led if the key that it asks for stood in that answer.
func (t *trails) follow(e *Event) {
	own := t.of(e.Caller)
	switch {
	case own == nil:
		return
	case own.caller.Load() != e.Caller:
		own.caller.Store(e.Caller)
		own.noted.Store(false)
		return
	case !own.noted.Load():
		return
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	if !own.noted.Swap(false) || own.of != e.Caller || e.Start < own.end || e.Start-own.end > between {
		return
	}
	var key [2]uint64
	if keyHashes(&key, e.Item.Text, nil) == 0 || key == own.key {
		return
	}
	e.Asks |= Preceded
	keyHashes(&key, e.Item.Text, func(i int, text []byte) {
		if key[i] != own.key[i] && (own.has(fast(1, text)) || own.has(fast(1, lastPart(text)))) {
			e.Asks |= Led
		}
	})
}

// note keeps what a get of key was answered, of one in notedOf that are looked into. The event has no key where keys are hashed.
func (t *trails) note(e *Event, key, answer []byte) {
	own := t.of(e.Caller)
	if own == nil || own.caller.Load() != e.Caller || own.turn.Add(1)%notedOf != 1 {
		return
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	own.of, own.end, own.key, own.values = e.Caller, e.Start+int64(e.Took), [2]uint64{}, [32]uint64{}
	keyHashes(&own.key, key, nil)
	rest := answer[:min(len(answer), trailBytes)]
	for range trailValues {
		text, last, after := nextText(rest)
		if after == nil {
			break
		}
		rest = after
		if len(text) < 2 { // types, and numbers that anything may be
			continue
		}
		own.add(fast(1, text))
		if len(last) != len(text) {
			own.add(fast(1, last))
		}
	}
	own.noted.Store(true)
}

func (t *trail) add(h uint64) {
	t.values[h>>59] |= 1 << (h >> 53 & 63)
	t.values[h>>48&31] |= 1 << (h >> 42 & 63)
}

func (t *trail) has(h uint64) bool {
	return t.values[h>>59]&(1<<(h>>53&63)) != 0 && t.values[h>>48&31]&(1<<(h>>42&63)) != 0
}

// nextText is the next text between quotation marks, as it is written down, its lastPart, and what follows; nil at the end.
func nextText(json []byte) (text, last, rest []byte) {
	from := bytes.IndexByte(json, '"') + 1
	if from == 0 {
		return nil, nil, nil
	}
	part := from
	for i := from; i < len(json); i++ {
		switch json[i] {
		case '#', '|', ':', '/':
			part = i + 1
		case '\\':
			i++
		case '"':
			if i-part < 2 {
				part = from
			}
			return json[from:i], json[part:i], json[i+1:]
		}
	}
	return nil, nil, nil
}

// keyHashes are those of the values of a key, as the client tells it to hooks.
func keyHashes(into *[2]uint64, key []byte, f func(i int, text []byte)) (n int) {
	for _, value := range attr.Members(key) {
		_, inner := inside(value)
		text := bytes.Trim(inner, `"`)
		if n == len(into) || len(text) < 2 {
			break
		}
		into[n] = fast(1, text)
		if f != nil {
			f(n, text)
		}
		n++
	}
	return n
}

// lastPart is what follows the last separator of a value that is made of several parts, as USER#7 is: keys are often written so, and
// attributes without. It is the whole value where there is none, or too little behind it.
func lastPart(text []byte) []byte {
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '#', '|', ':', '/':
			if len(text)-i > 2 {
				return text[i+1:]
			}
			return text
		}
	}
	return text
}
