package stats

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// SizedItem is an item whose size was seen, the first time and the last.
type SizedItem struct {
	Hash  uint64    `json:"hash,string"`
	Key   string    `json:"key,omitempty"` // as in Key
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// FirstBytes and LastBytes are what it had then, MaxBytes the most it ever had, as DynamoDB counts them.
	FirstBytes int     `json:"firstBytes"`
	LastBytes  int     `json:"lastBytes"`
	MaxBytes   int     `json:"maxBytes"`
	Seen       float64 `json:"seen"` // how often
	// Course is how large it was in between, about evenly in time; 8 points at most.
	Course []SizeAt `json:"course,omitempty"`

	// Attributes are what it had last, in the order of names, of an item of a Sample that was seen whole; 48 at most.
	Attributes []Print `json:"attributes,omitempty"`

	content uint64 // Size.Content of the last time
	due     int64  // when the next point of the course may be added
}

// Print is an attribute of a sampled item as far as it may be kept: no value.
type Print struct {
	Name  string `json:"name"`
	Type  string `json:"type"`         // as DynamoDB names it: S, N, B, BOOL, NULL, M, L, SS, NS, BS
	Bytes int    `json:"bytes"`        // of name and value
	Value uint64 `json:"value,string"` // hash of the value: equal for equal ones of any attribute of any table
	// Changes is how often the item was seen with another value than before.
	Changes float64 `json:"changes,omitempty"`
	// Shape is what a text of at most 256 bytes is made of: other attributes of the same item as {name}, and else what its parts
	// look like, <digits>, <date>, <time>, <uuid>, <ulid>, <ksuid>, <hex>, <email>, <Word>, <word>, <WORD>, <text>, between
	// separators as they stand: "o#{orderId}", "<word>#<date>". A prefix of letters before a separator that three of the sampled
	// items share, and a twentieth of them, stands as it is: so that "USER#" and "user#" of one kind of items are told apart.
	Shape string `json:"shape,omitempty"`
	// Number is the value of a number that can be a time, seconds or milliseconds since 1970 from 2001 to the begin of 2100; of a text that is
	// a day or a moment in the form of ISO 8601 it is seconds; else 0.
	Number float64 `json:"number,omitempty"`
}

// PerDay is by how many bytes the item grew in a day, from the first time it was seen to the last; 0 within a minute.
func (s *SizedItem) PerDay() float64 {
	days := s.Last.Sub(s.First).Hours() / 24
	if days < 1.0/24/60 {
		return 0
	}
	return float64(s.LastBytes-s.FirstBytes) / days
}

// ItemSizes tells of a table how its items grow: of its largest items, and of items that are a random sample of all that were
// looked at, each as likely to be among them as any other.
type ItemSizes struct {
	Table   string      `json:"table"`
	Largest []SizedItem `json:"largest"` // from the largest, 64 at most
	Sample  []SizedItem `json:"sample"`  // those with the smallest hashes, 256 at most
}

// sizes are the ItemSizes of all tables. Only calls that are looked into come here.
type sizes struct {
	mu      sync.Mutex
	tables  map[string]*tableSizes
	printed atomic.Int64 // items with attributes
}

// tableSizes are those of one table, known from its first item on.
type tableSizes struct {
	table           string
	mu              sync.Mutex
	largest, sample sizeList
}

// sizesOf is where to note the sizes of a table's items, most likely of the same as those before; nil beyond the bound.
func (s *scratch) sizesOf(c *Collector, table string) *tableSizes {
	if s.sizes == nil || !same(s.sizes.table, table) {
		s.sizes = c.sizes.of(table)
	}
	return s.sizes
}

func (s *sizes) of(table string) *tableSizes {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[table]
	if t == nil && len(s.tables) < maxTables {
		t = &tableSizes{table: table, largest: sizeList{most: largestKept, rank: bySize}, sample: sizeList{most: sampleKept, byHash: true, rank: byHash}}
		if s.tables == nil {
			s.tables = map[string]*tableSizes{}
		}
		s.tables[table] = t
	}
	return t
}

// sizeList keeps the items that rank before others.
type sizeList struct {
	list   []SizedItem
	hashes []uint64 // of list: to find an item
	some   filter   // of hashes, unless the list is by them
	most   int
	byHash bool // rank is
	rank   func(a, b *SizedItem) int
	gone   int // items with attributes that made room for others
}

func bySize(a, b *SizedItem) int { return cmp.Compare(b.MaxBytes, a.MaxBytes) }
func byHash(a, b *SizedItem) int { return cmp.Compare(a.Hash, b.Hash) }

// add notes a size. print makes, of an item of the sample, what Content and Prints are; nil if the size has them, or has none.
func (s *sizes) add(t *tableSizes, size *Size, at int64, print func(before uint64)) {
	if size.Item.Hash == 0 || t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.largest.see(size, at, t.largest.find(size.Item.Hash))
	if !t.sample.admits(size.Item.Hash) {
		return
	}
	i := t.sample.find(size.Item.Hash)
	if print != nil {
		before := uint64(0)
		if i >= 0 {
			before = t.sample.list[i].content
		}
		print(before)
	}
	i = t.sample.see(size, at, i)
	s.printed.Add(-int64(t.sample.gone))
	t.sample.gone = 0
	if size.Content == 0 || i < 0 {
		return
	}
	o := &t.sample.list[i]
	o.content = size.Content
	if len(size.Prints) > 0 && (len(o.Attributes) > 0 || s.printed.Load() < printedItems) {
		if len(o.Attributes) == 0 {
			s.printed.Add(1)
		}
		o.see(size.Prints)
	}
}

// admits reports whether a list by hashes has an item or would take it: most items are none of the sample, which their hashes tell.
func (l *sizeList) admits(hash uint64) bool {
	n := len(l.hashes)
	return n < l.most || hash <= l.hashes[n-1]
}

func (l *sizeList) find(hash uint64) int {
	if !l.byHash {
		if !l.some.may(hash) {
			return -1
		}
		return slices.Index(l.hashes, hash)
	}
	if i, known := slices.BinarySearch(l.hashes, hash); known {
		return i
	}
	return -1
}

// see is where an item stands now that stood at i, -1 if it is none of the list.
func (l *sizeList) see(size *Size, at int64, i int) int {
	now := time.Unix(0, at).UTC()
	if i >= 0 {
		o := &l.list[i]
		if !now.Before(o.Last) { // callers are not recorded quite in order
			o.Last, o.LastBytes = now, size.Bytes
		}
		o.MaxBytes = max(o.MaxBytes, size.Bytes)
		o.Seen++
		o.course(at, size.Bytes)
		return l.settle(i)
	}
	n := len(l.list)
	if n == l.most && !l.byHash && size.Bytes <= l.list[n-1].MaxBytes {
		return -1
	}
	one := SizedItem{Hash: size.Item.Hash, First: now, Last: now, FirstBytes: size.Bytes, LastBytes: size.Bytes, MaxBytes: size.Bytes, Seen: 1}
	if n == l.most {
		if l.rank(&one, &l.list[n-1]) >= 0 {
			return -1
		}
		if len(l.list[n-1].Attributes) > 0 {
			l.gone++
		}
		l.list, l.hashes = l.list[:n-1], l.hashes[:n-1]
		l.some = filter{}
		for _, hash := range l.hashes {
			l.some.add(hash)
		}
	}
	one.Key = string(size.Item.Text[:min(len(size.Item.Text), maxKeyText)])
	l.list, l.hashes = append(l.list, one), append(l.hashes, one.Hash)
	l.some.add(one.Hash)
	return l.settle(len(l.list) - 1)
}

// settle moves an item forward to its place.
func (l *sizeList) settle(i int) int {
	for ; i > 0 && l.rank(&l.list[i], &l.list[i-1]) < 0; i-- {
		l.list[i], l.list[i-1] = l.list[i-1], l.list[i]
		l.hashes[i], l.hashes[i-1] = l.hashes[i-1], l.hashes[i]
	}
	return i
}

func (s *SizedItem) merge(o *SizedItem) {
	if o.First.Before(s.First) {
		s.First, s.FirstBytes = o.First, o.FirstBytes
	}
	later := !o.Last.Before(s.Last)
	if later {
		s.Last, s.LastBytes = o.Last, o.LastBytes
	}
	s.joinPrints(o, later)
	s.MaxBytes = max(s.MaxBytes, o.MaxBytes)
	s.Seen += o.Seen
	s.joinCourse(o)
	s.Key = cmp.Or(s.Key, o.Key)
}

// merge adds what o knows.
func (s *ItemSizes) merge(o *ItemSizes) {
	s.Largest = mergeSizes(s.Largest, o.Largest, largestKept, bySize)
	s.Sample = mergeSizes(s.Sample, o.Sample, sampleKept, byHash)
}

func mergeSizes(a, b []SizedItem, most int, rank func(a, b *SizedItem) int) []SizedItem {
	at := map[uint64]int{}
	for i := range a {
		at[a[i].Hash] = i
	}
	for i := range b {
		if j, known := at[b[i].Hash]; known {
			a[j].merge(&b[i])
			continue
		}
		a = append(a, b[i])
	}
	slices.SortStableFunc(a, func(x, y SizedItem) int { return rank(&x, &y) })
	return a[:min(len(a), most)]
}

func (s *sizes) snapshot() (out []*ItemSizes) {
	for _, t := range s.all() {
		t.mu.Lock()
		if len(t.sample.list) > 0 {
			out = append(out, &ItemSizes{Table: t.table, Largest: cloneSized(t.largest.list), Sample: cloneSized(t.sample.list)})
		}
		t.mu.Unlock()
	}
	for _, z := range out { // after callers may go on
		literals(z.Sample)
	}
	slices.SortFunc(out, func(a, b *ItemSizes) int { return cmp.Compare(a.Table, b.Table) })
	return out
}

// all are the tables there are.
func (s *sizes) all() []*tableSizes {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.tables))
}

func (s *sizes) reset() {
	for _, t := range s.all() {
		t.mu.Lock()
		for i := range t.sample.list {
			if len(t.sample.list[i].Attributes) > 0 {
				s.printed.Add(-1)
			}
		}
		t.largest.forget()
		t.sample.forget()
		t.mu.Unlock()
	}
}

func (l *sizeList) forget() { l.list, l.hashes, l.some = nil, nil, filter{} }

// filter tells of most hashes that are not there that they are not: of 64 in it, of seven in eight.
type filter [8]uint64

func (f *filter) add(hash uint64)      { f[hash>>61] |= 1 << (hash >> 55 & 63) }
func (f *filter) may(hash uint64) bool { return f[hash>>61]&(1<<(hash>>55&63)) != 0 }
