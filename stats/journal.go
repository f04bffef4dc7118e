package stats

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"sync"
)

// JournalOptions say what a Journal keeps; the zero value keeps the last calls that 8 MB hold, some hundred thousand, with
// hashes instead of keys.
type JournalOptions struct {
	// Rate is the share of the recorded calls that are kept, from 0 to 1; those stand for the others too. 0: all.
	Rate float64
	// Bytes bounds its memory: the oldest calls make room for new ones. Names of tables, attributes and so on take a quarter more at most.
	// 0: 8 MB.
	Bytes int
	// Keys keeps what keys are, not only their hashes. Nothing turns hashes of a Collector back whose keys are hashed.
	Keys bool
}

// Journal is single calls, in the order in which they ended: of a Collector since Collector.Journal, or read with ReadJournal.
// What a Collector tells can be computed from it again: by Journal.Snapshot, or, where some calls are to be left out or looked at
// otherwise, by recording its events in another Collector:
//
//	for e := range journal.Events() {
//		again.Record(e)
//	}
//
// What the program does with the errors of calls it does after them, so that Counts.Surfaced and Asked are 0 then.
type Journal struct {
	o JournalOptions
	c *Collector // that it is of; nil of one that was read

	read []*TableForm // of one that was read

	mu       sync.Mutex
	keySpace uint64
	hashed   bool
	names    []string
	index    map[string]uint32
	named    int      // bytes of names
	blocks   [][]byte // each a list of events with their lengths, blockBytes at most
	size     int
	dropped  int
}

const (
	blockBytes = 64 << 10
	leastBlock = 1 << 10 // of a journal that may have little memory
	// journalNames bounds the different names of operations, tables, attributes and so on, leastNames how many bytes they may have together
	// at least, however little memory there is; others are one.
	journalNames = 1 << 16
	leastNames   = 64 << 10
	journalMagic = "tablewright-journal 2\n"
)

// Journal begins to keep single calls; a Journal that was begun before stops.
func (c *Collector) Journal(o JournalOptions) *Journal {
	if o.Rate <= 0 || o.Rate > 1 {
		o.Rate = 1
	}
	if o.Bytes <= 0 {
		o.Bytes = 8 << 20
	}
	j := &Journal{o: o, c: c, keySpace: c.keySpace(), hashed: c.hashed || !o.Keys}
	j.begin()
	c.journal.Store(j)
	return j
}

// begin gives names 0 and 1.
func (j *Journal) begin() {
	j.names = []string{"", others}
	j.index = map[string]uint32{"": 0, others: 1}
}

// Stop ends a Journal: it keeps what it has.
func (j *Journal) Stop() {
	if j.c != nil {
		j.c.journal.CompareAndSwap(j, nil)
	}
}

// Dropped is how many calls were kept and then made room for newer ones.
func (j *Journal) Dropped() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.dropped
}

// add keeps an event, or not.
func (j *Journal) add(e *Event) {
	if j.o.Rate < 1 && rand.Float64() >= j.o.Rate {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	n, block := len(j.blocks), min(blockBytes, max(j.o.Bytes/8, leastBlock))
	if n == 0 || len(j.blocks[n-1]) >= block {
		if j.size+block > j.o.Bytes && n > 0 {
			j.dropped += countEvents(j.blocks[0])
			j.size -= len(j.blocks[0])
			j.blocks = append(j.blocks[:0], j.blocks[1:]...)
			n--
		}
		j.blocks = append(j.blocks, make([]byte, 0, block+block/8))
		n++
	}
	b := j.blocks[n-1]
	before := len(b)
	b = append(b, 0, 0, 0, 0)
	w := encoder{b: b, j: j, text: !j.hashed, scale: 1 / j.o.Rate}
	w.event(e)
	binary.LittleEndian.PutUint32(w.b[before:], uint32(len(w.b)-before-4))
	j.blocks[n-1] = w.b
	j.size += len(w.b) - before
}

// name is the number of a name.
func (j *Journal) name(s string) uint32 {
	if i, known := j.index[s]; known {
		return i
	}
	return j.newName(s)
}

func (j *Journal) bytesName(s []byte) uint32 {
	if i, known := j.index[string(s)]; known {
		return i
	}
	return j.newName(string(s))
}

func (j *Journal) newName(s string) uint32 {
	if len(j.names) >= journalNames || j.named+len(s) > max(j.o.Bytes/4, leastNames) {
		return 1
	}
	i := uint32(len(j.names))
	j.named += len(s)
	j.names = append(j.names, s)
	j.index[s] = i
	return i
}

// Events yields copies of the calls, from the oldest to the newest there was when it began.
func (j *Journal) Events() iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		j.mu.Lock()
		names := j.names[:len(j.names):len(j.names)]
		blocks := make([][]byte, len(j.blocks))
		for i, b := range j.blocks {
			blocks[i] = b[:len(b):len(b)] // what is there is not written again
		}
		j.mu.Unlock()
		for _, b := range blocks {
			for len(b) >= 4 {
				n := int(binary.LittleEndian.Uint32(b))
				d := decoder{b: b[4 : 4+n], names: names}
				if e := d.event(); d.err == nil && !yield(e) {
					return
				}
				b = b[4+n:]
			}
		}
	}
}

// Snapshot is what a Collector with these Options knows of the calls: of the time from the first to the end of the last. Keys are as
// they stand in the Journal, whatever Options.HashKeys says.
func (j *Journal) Snapshot(o Options) *Snapshot {
	c := NewCollector(o)
	heaviest := 1.0
	for e := range j.Events() {
		c.Record(e)
		heaviest = max(heaviest, e.Weight)
	}
	s := c.Snapshot()
	s.KeySpace, s.Hashed = j.keySpace, j.hashed
	s.Rate, s.Tables = min(s.Rate, 1/heaviest), j.forms()
	return s
}

// forms are what is known of how the tables are declared.
func (j *Journal) forms() []*TableForm {
	if j.c == nil {
		return j.read
	}
	return j.c.forms()
}

// Len is how many calls there are.
func (j *Journal) Len() (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, b := range j.blocks {
		n += countEvents(b)
	}
	return n
}

func countEvents(b []byte) (n int) {
	for ; len(b) >= 4; n++ {
		b = b[4+binary.LittleEndian.Uint32(b):]
	}
	return n
}

// WriteTo writes the calls in a form of their own, which ReadJournal reads: a line that names it, the space of the keys, how tables are
// declared, all names, and the events in blocks.
func (j *Journal) WriteTo(to io.Writer) (int64, error) {
	forms, err := json.Marshal(j.forms())
	if err != nil {
		return 0, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	head := []byte(journalMagic)
	head = binary.LittleEndian.AppendUint64(head, j.keySpace)
	hashed := byte(0)
	if j.hashed {
		hashed = 1
	}
	head = append(head, hashed)
	head = append(binary.AppendUvarint(head, uint64(len(forms))), forms...)
	head = binary.AppendUvarint(head, uint64(len(j.names)))
	for _, s := range j.names {
		head = append(binary.AppendUvarint(head, uint64(len(s))), s...)
	}
	head = binary.AppendUvarint(head, uint64(len(j.blocks)))
	n, err := to.Write(head)
	written := int64(n)
	for _, b := range j.blocks {
		if err != nil {
			break
		}
		n, err = to.Write(binary.AppendUvarint(nil, uint64(len(b))))
		written += int64(n)
		if err == nil {
			n, err = to.Write(b)
			written += int64(n)
		}
	}
	return written, err
}

var errJournal = errors.New("this is no journal of statistics, or it is damaged")

// ReadJournal reads what WriteTo wrote, as far as limit bytes; 0: 1 GB. Every event is checked.
func ReadJournal(from io.Reader, limit int64) (*Journal, error) {
	if limit <= 0 {
		limit = 1 << 30
	}
	r := bufio.NewReader(io.LimitReader(from, limit))
	j := &Journal{o: JournalOptions{Rate: 1}}
	fail := func(what string, err error) (*Journal, error) {
		return nil, fmt.Errorf("%w: %s: %w", errJournal, what, err)
	}
	head := make([]byte, len(journalMagic)+9)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:len(journalMagic)]) != journalMagic {
		return nil, errJournal
	}
	j.keySpace = binary.LittleEndian.Uint64(head[len(journalMagic):])
	j.hashed = head[len(head)-1] != 0
	forms, err := readBytes(r, 64<<20)
	if err == nil {
		err = json.Unmarshal(forms, &j.read)
	}
	if err == nil {
		err = checkForms(j.read)
	}
	if err != nil {
		return fail("tables", err)
	}
	n, err := binary.ReadUvarint(r)
	if err != nil || n < 2 || n > journalNames {
		return fail("names", errors.Join(err, io.ErrUnexpectedEOF))
	}
	j.index = map[string]uint32{}
	for range n {
		b, err := readBytes(r, 1<<20)
		if err != nil {
			return fail("a name", err)
		}
		j.index[string(b)] = uint32(len(j.names))
		j.names = append(j.names, string(b))
	}
	if n, err = binary.ReadUvarint(r); err != nil {
		return fail("blocks", err)
	}
	for range n {
		b, err := readBytes(r, 64<<20)
		if err != nil {
			return fail("a block", err)
		}
		for rest := b; len(rest) > 0; {
			if len(rest) < 4 || uint64(len(rest)-4) < uint64(binary.LittleEndian.Uint32(rest)) {
				return fail("a block", io.ErrUnexpectedEOF)
			}
			size := 4 + int(binary.LittleEndian.Uint32(rest))
			d := decoder{b: rest[4:size], names: j.names}
			if d.event(); d.err != nil || len(d.b) > 0 {
				return fail("an event", errors.Join(d.err, io.ErrUnexpectedEOF))
			}
			rest = rest[size:]
		}
		j.blocks = append(j.blocks, b)
		j.size += len(b)
	}
	return j, nil
}

// readBytes reads a length and so many bytes. Memory grows with what is there, not with what is announced.
func readBytes(r *bufio.Reader, most uint64) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if n > most {
		return nil, fmt.Errorf("%d bytes", n)
	}
	b := make([]byte, 0, min(n, 64<<10))
	for uint64(len(b)) < n {
		step := min(n-uint64(len(b)), 64<<10)
		at := len(b)
		b = append(b, make([]byte, step)...)
		if _, err := io.ReadFull(r, b[at:]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// keySpace tells with what keys are hashed.
func (c *Collector) keySpace() uint64 { return c.hash.sum(0, []byte("tablewright")) }

// KeySpace is Snapshot.KeySpace of the Collector that the Journal is of.
func (j *Journal) KeySpace() uint64 { return j.keySpace }

// encoder writes events.
type encoder struct {
	b     []byte
	j     *Journal
	text  bool
	scale float64 // of weights
}

func (w *encoder) uint(n uint64)   { w.b = binary.AppendUvarint(w.b, n) }
func (w *encoder) int(n int)       { w.b = binary.AppendVarint(w.b, int64(n)) }
func (w *encoder) name(s string)   { w.uint(uint64(w.j.name(s))) }
func (w *encoder) float(f float64) { w.uint(reverse(math.Float64bits(f))) }
func (w *encoder) byte(b byte)     { w.b = append(w.b, b) }

func (w *encoder) key(k *KeyID) {
	w.b = binary.LittleEndian.AppendUint64(w.b, k.Hash)
	if !w.text {
		w.uint(0)
		return
	}
	w.uint(uint64(len(k.Text)))
	w.b = append(w.b, k.Text...)
}

// reverse puts the end that is mostly zeros of numbers like 0.5 or 12 in front: they become short.
func reverse(b uint64) uint64 {
	var out [8]byte
	binary.LittleEndian.PutUint64(out[:], b)
	return binary.BigEndian.Uint64(out[:])
}

// event writes everything of an event, field by field as decoder.event reads it.
func (w *encoder) event(e *Event) {
	w.name(e.Operation)
	w.name(e.Table)
	w.name(e.Index)
	w.name(e.Pattern)
	w.b = binary.AppendVarint(w.b, e.Start)
	w.b = binary.AppendVarint(w.b, int64(e.Took))
	w.key(&e.Partition)
	w.key(&e.Item)
	w.uint(e.Caller)
	for _, n := range [...]int{e.Attempt, e.Items, e.Scanned, e.Sent, e.Received, e.Refused, e.Unprocessed} {
		w.int(n)
	}
	w.float(e.Read)
	w.float(e.Write)
	w.float(e.Weight * w.scale)
	w.byte(byte(e.Units))
	w.byte(byte(e.Outcome))
	var flags byte
	for i, on := range [...]bool{e.More, e.Resumed, e.Detail != nil, e.Asks != 0 || len(e.Entries) > 0, e.As != ""} {
		if on {
			flags |= 1 << i
		}
	}
	w.byte(flags)
	w.uint(uint64(len(e.Arms)))
	for i := range e.Arms {
		a := &e.Arms[i]
		w.name(a.Table)
		w.name(a.Index)
		w.float(a.Read)
		w.float(a.Write)
	}
	w.uint(uint64(len(e.Throttling)))
	for i := range e.Throttling {
		w.name(e.Throttling[i].Reason)
		w.name(e.Throttling[i].Resource)
	}
	w.uint(uint64(len(e.Parts)))
	for i := range e.Parts {
		p := &e.Parts[i]
		w.name(p.Action)
		w.name(p.Table)
		w.name(p.Index)
		w.key(&p.Partition)
		w.key(&p.Item)
		w.float(p.Read)
		w.float(p.Write)
		w.float(p.Weight * w.scale)
	}
	if e.Detail != nil {
		w.detail(e.Detail)
	}
	if e.Asks != 0 || len(e.Entries) > 0 {
		w.uint(uint64(e.Asks))
		w.uint(uint64(len(e.Entries)))
		for _, hash := range e.Entries {
			w.b = binary.LittleEndian.AppendUint64(w.b, hash)
		}
	}
	if e.As != "" {
		w.name(e.As)
	}
}

// size writes the bytes of an item, shifted to make room for a bit that says whether more follows.
func (w *encoder) size(s *Size) {
	more := 0
	if s.Content != 0 {
		more = 1
	}
	w.int(s.Bytes<<1 | more)
	if more == 0 {
		return
	}
	w.b = binary.LittleEndian.AppendUint64(w.b, s.Content)
	w.uint(uint64(len(s.Prints)))
	for i := range s.Prints {
		p := &s.Prints[i]
		w.uint(uint64(w.j.bytesName(p.Name)))
		w.name(p.Type)
		w.int(p.Bytes)
		w.b = binary.LittleEndian.AppendUint64(w.b, p.Value)
		w.float(p.Number)
		shape := p.Shape
		if !w.text {
			shape = []byte(rewrite(string(shape), func(_ int, class byte, _ string) string { return string([]byte{wordBegins, class, wordEnds}) }))
		}
		w.uint(uint64(len(shape)))
		w.b = append(w.b, shape...)
	}
}

func (w *encoder) detail(d *Detail) {
	w.float(d.Weight * w.scale)
	w.float(d.Step)
	w.uint(uint64(d.Asks))
	w.uint(uint64(len(d.Sizes)))
	for i := range d.Sizes {
		w.name(d.Sizes[i].Table)
		w.key(&d.Sizes[i].Item)
		w.size(&d.Sizes[i])
	}
	w.uint(uint64(len(d.Attributes)))
	for i := range d.Attributes {
		a := &d.Attributes[i]
		w.uint(uint64(w.j.bytesName(a.Name)))
		w.byte(byte(a.Use))
		w.int(a.Bytes)
		w.int(a.Count)
	}
}
