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
	recent [1 << 8]recentContext
	kinds  [16]contextKind
}

// recentContext is a context that was seen lately. Two contexts that come to one address, one after the other, differ by their
// marks: by the deadline, or by the value's address.
type recentContext struct {
	id, mark atomic.Uint64
	calls    atomic.Uint32
	kind     atomic.Uint32 // in kinds
}

// contextKind is of contexts that are made in one way: with a deadline, or with a value of one type of key.
type contextKind struct {
	single  atomic.Uint64 // that had one call, when others took their place
	several atomic.Uint64 // that had more
}

const (
	// wrapped is through how many contexts a caller is looked for.
	wrapped = 16
	// fewSingle is of how many contexts it has to be known that most are made for single calls, mostSingle how many these are of one
	// that is made for several.
	fewSingle, mostSingle = 16, 100
)

// iface is an interface as it lies in memory.
type iface struct{ kind, data unsafe.Pointer }

func ifaceOf(ctx context.Context) iface { return *(*iface)(unsafe.Pointer(&ctx)) }

// made is what package context makes contexts of, and where fields are that matter here.
var made = func() (m struct {
	value, timer unsafe.Pointer // kinds; nil: not as expected
	key, val     uintptr
}) {
	type k struct{}
	first := func(t reflect.Type) bool {
		return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == reflect.TypeFor[context.Context]() && t.Field(0).Offset == 0
	}
	value := context.WithValue(context.Background(), k{}, 0)
	if t := reflect.TypeOf(value); t.Kind() == reflect.Pointer && first(t.Elem()) {
		key, known := t.Elem().FieldByName("key")
		val, too := t.Elem().FieldByName("val")
		if any := reflect.TypeFor[any](); known && too && key.Type == any && val.Type == any {
			m.value, m.key, m.val = ifaceOf(value).kind, key.Offset, val.Offset
		}
	}
	timed, cancel := context.WithTimeout(context.Background(), 1<<62)
	defer cancel()
	if t := reflect.TypeOf(timed); t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && t.Elem().NumField() > 0 &&
		t.Elem().Field(0).Offset == 0 && first(t.Elem().Field(0).Type) {
		m.timer = ifaceOf(timed).kind
	}
	return m
}()

// transparent are the types of keys whose values say nothing of who calls: those of the SDK's client, which has several in each call.
var transparent atomic.Pointer[map[unsafe.Pointer]bool]

func isTransparent(key *iface) bool {
	known := transparent.Load()
	if known != nil {
		if is, seen := (*known)[key.kind]; seen {
			return is
		}
	}
	t := reflect.TypeOf(*(*any)(unsafe.Pointer(key)))
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	is := t != nil && (strings.HasPrefix(t.PkgPath(), "github.com/aws/") || t.PkgPath() == "github.com/tablewright/tablewright/sdk")
	with := map[unsafe.Pointer]bool{key.kind: is}
	if known != nil {
		if len(*known) >= 256 {
			return is
		}
		for k, v := range *known {
			with[k] = v
		}
	}
	transparent.CompareAndSwap(known, &with)
	return is
}

// caller is the number of who calls with a context.
func (l *lineage) caller(ctx context.Context) uint64 {
	for range wrapped {
		w := ifaceOf(ctx)
		var kind, mark uint64
		switch {
		case w.kind == nil:
			return identity(ctx)
		case w.kind == made.value:
			key := (*iface)(unsafe.Add(w.data, made.key))
			if isTransparent(key) {
				ctx = *(*context.Context)(w.data)
				continue
			}
			kind = uint64(uintptr(key.kind))
			mark = uint64(uintptr((*iface)(unsafe.Add(w.data, made.val)).data))
		case w.kind == made.timer:
			deadline, _ := ctx.Deadline()
			mark = uint64(deadline.UnixNano())
		default:
			return identity(ctx)
		}
		if !l.single(uint64(uintptr(w.data)), kind, mark) {
			return identity(ctx)
		}
		ctx = *(*context.Context)(w.data)
	}
	return identity(ctx)
}

// single notes a call with a context, and reports whether such contexts are made for one call each.
func (l *lineage) single(id, kind, mark uint64) bool {
	of := uint32(spread(kind) >> 60)
	k := &l.kinds[of]
	r := &l.recent[spread(id)>>56]
	if r.id.Load() == id && r.mark.Load() == mark {
		if r.calls.Add(1) == 2 {
			k.several.Add(1)
		}
	} else {
		if r.calls.Swap(1) == 1 {
			l.kinds[r.kind.Load()].single.Add(1)
		}
		r.id.Store(id)
		r.mark.Store(mark)
		r.kind.Store(of)
	}
	single := k.single.Load()
	if single > 1<<16 { // what was long ago counts less
		k.single.Store(1 << 15)
		k.several.Store(k.several.Load() / 2)
	}
	return single >= fewSingle && k.several.Load()*mostSingle <= single
}
