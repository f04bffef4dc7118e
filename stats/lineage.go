package stats

import (
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Who calls is told by the context of a call. Many programs make another one of it for each call, with a time limit or a span, and
// the SDK's client does so always: what these are made from is the caller's then. A context of package context has the one that it is
// made from in its first words; whether the fields are still where they were is looked at when a program starts, and where they are
// not every context is a caller of its own.

// lineage learns which contexts are made for single calls.
type lineage struct {
	apart  [contextKinds]atomic.Bool // what is found of a kind: its contexts are made for one call each. Apart since all callers read it
	kinds  [contextKinds]contextKind
	recent [1 << 8]recentContext
}

// recentContext is a context that was seen lately. As long as it is known here it is not collected, so that no other one comes to
// its address.
type recentContext struct {
	data  atomic.Pointer[byte]
	calls atomic.Uint32
	kind  atomic.Uint32 // in kinds
}

// contextKind is of contexts that are made in one way: with a deadline, or with a value of one type of key, of such that are made in
// another. That of a request and those of its calls may both have a deadline.
type contextKind struct {
	single  atomic.Uint32 // that had one call, when others took their place
	several atomic.Uint32 // that had more
}

const (
	contextKinds = 1 << 6
	// wrapped is through how many contexts a caller is looked for.
	wrapped = 16
	// Of fewContexts it has to be known that at most one in mostSingle is made for several calls. One in leastSingle is too many: some
	// that are made for single calls serve another one, and what was found is not to change to and fro.
	fewContexts, mostSingle, leastSingle = 16, 25, 12
	// Of a kind that is known by manyContexts only one in sampledContexts is looked at, so that callers need not write here, and that
	// even among thousands of callers at once a context is not forgotten before its second call.
	manyContexts, sampledContexts = 256, 8
	// firstContexts is how many are remembered of a kind that is not known so well, to know soon.
	firstContexts = 32
	// lately is after how many contexts those before count half.
	lately = 1 << 9
)

// iface is an interface as it lies in memory.
type iface struct{ kind, data unsafe.Pointer }

func ifaceOf(ctx context.Context) iface { return *(*iface)(unsafe.Pointer(&ctx)) }

// made is what package context makes contexts of, and where fields are that matter here.
var made = func() (m struct {
	value, timer, cancel unsafe.Pointer // kinds; nil: not as expected
	key                  uintptr
}) {
	type k struct{}
	first := func(t reflect.Type) bool {
		return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == reflect.TypeFor[context.Context]() && t.Field(0).Offset == 0
	}
	value := context.WithValue(context.Background(), k{}, 0)
	if t := reflect.TypeOf(value); t.Kind() == reflect.Pointer && first(t.Elem()) {
		key, known := t.Elem().FieldByName("key")
		if known && key.Type == reflect.TypeFor[any]() {
			m.value, m.key = ifaceOf(value).kind, key.Offset
		}
	}
	timed, cancel := context.WithTimeout(context.Background(), 1<<62)
	defer cancel()
	if t := reflect.TypeOf(timed); t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && t.Elem().NumField() > 0 &&
		t.Elem().Field(0).Offset == 0 && first(t.Elem().Field(0).Type) {
		m.timer = ifaceOf(timed).kind
	}
	canceled, cancel := context.WithCancel(context.Background())
	defer cancel()
	if t := reflect.TypeOf(canceled); t.Kind() == reflect.Pointer && first(t.Elem()) {
		m.cancel = ifaceOf(canceled).kind
	}
	return m
}()

// transparent are types of keys, each in a place of its own unless two meet, and in its lowest bit whether their values say nothing of
// who calls: so are those of the SDK's client, which has several in each call.
var transparent [1 << 6]atomic.Uint64

func isTransparent(key *iface) bool {
	kind := uint64(uintptr(key.kind))
	slot := &transparent[kind*0x9e3779b97f4a7c15>>58]
	if known := slot.Load(); known&^1 == kind {
		return known&1 != 0
	}
	t := reflect.TypeOf(*(*any)(unsafe.Pointer(key)))
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	is := t != nil && (strings.HasPrefix(t.PkgPath(), "github.com/aws/") || t.PkgPath() == "github.com/tablewright/tablewright/sdk")
	if is {
		kind |= 1
	}
	slot.Store(kind)
	return is
}

// caller is the number of who calls with a context; again says that the call goes on with one before, as another try or page.
func (l *lineage) caller(ctx context.Context, again bool) uint64 {
	for range wrapped {
		w := ifaceOf(ctx)
		if w.kind == nil {
			break
		}
		var kind uintptr
		switch w.kind {
		case made.value:
			key := (*iface)(unsafe.Add(w.data, made.key))
			if isTransparent(key) {
				ctx = *(*context.Context)(w.data)
				continue
			}
			kind = uintptr(key.kind)
		case made.timer:
			kind = uintptr(w.kind)
		case made.cancel: // what a limit becomes where the caller's is earlier; others are made for requests
			if _, limited := ctx.Deadline(); !limited {
				return identity(ctx)
			}
			kind = uintptr(w.kind)
		default:
			return identity(ctx)
		}
		of := *(*context.Context)(w.data)
		if !l.single(w.data, uint64(kind), uint64(uintptr(ifaceOf(of).kind)), again) {
			break
		}
		ctx = of
	}
	return identity(ctx)
}

// single notes a call with a context, and reports whether such contexts are made for one call each.
func (l *lineage) single(data unsafe.Pointer, kind, of uint64, again bool) bool {
	number := uint32(fold(kind^0x9e3779b97f4a7c15, of^0xd6e8feb86659fd93) % contextKinds)
	if again {
		return l.apart[number].Load()
	}
	k, h := &l.kinds[number], spread(uint64(uintptr(data)))
	at := h >> 56
	switch known := k.single.Load()+k.several.Load() >= manyContexts; {
	case !known:
		at %= firstContexts
	case h%sampledContexts != 0:
		return l.apart[number].Load()
	}
	r := &l.recent[at]
	if r.data.Load() == (*byte)(data) {
		if r.calls.Add(1) == 2 {
			k.several.Add(1)
			l.judge(number)
		}
		return l.apart[number].Load()
	}
	if r.calls.Swap(1) == 1 {
		before := r.kind.Load()
		l.kinds[before].single.Add(1)
		l.judge(before)
	}
	r.data.Store((*byte)(data))
	r.kind.Store(number)
	return l.apart[number].Load()
}

// judge finds what the contexts of a kind are, by those that were seen lately.
func (l *lineage) judge(number uint32) {
	k := &l.kinds[number]
	single, several := k.single.Load(), k.several.Load()
	switch apart := l.apart[number].Load(); {
	case !apart && single >= fewContexts && several*mostSingle <= single:
		l.apart[number].Store(true)
	case apart && several*leastSingle > single:
		l.apart[number].Store(false)
	}
	if single+several > lately {
		k.single.Store(single / 2)
		k.several.Store(several / 2)
	}
}
