package attr_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/norace"
)

func TestFields(t *testing.T) {
	type described struct {
		Base
		ID      attr.Opt[string] `ddb:"key" check:"len=1"`
		At      *time.Time       `ddb:"at,epoch-s"`
		Created time.Time        `ddb:"created,created"`
		Version uint8            `ddb:"version,version"`
		Tags    map[status]bool  `ddb:"tags,set"`
		Times   []time.Time      `ddb:"times,epoch-ms"`
		By      map[string]line  `ddb:"by,omitzero"`
		Any     any
		Rest    attr.Item `ddb:",rest"`
	}
	fields, err := attr.Fields(reflect.TypeFor[described]())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	v := reflect.ValueOf(described{})
	for _, f := range fields {
		fmt.Fprintf(&b, "%s %s %v %v role=%d omit=%v", f.Go, f.Name, f.Type, f.Kind, f.Role, f.Omit)
		if v.FieldByIndex(f.Index).Type() != f.Type {
			t.Errorf("%s: the index leads elsewhere", f.Go)
		}
		if e, ok := f.Elem(); ok {
			fmt.Fprintf(&b, " of %v %v", e.Type, e.Kind)
		}
		b.WriteByte('\n')
	}
	want := `Any Any interface {}  role=0 omit=false
At at *time.Time N role=0 omit=false
By by map[string]attr_test.line M role=0 omit=true of attr_test.line M
Created created time.Time S role=2 omit=false
Depth depth int N role=0 omit=false
ID id string S role=0 omit=false
ID key attr.Opt[string] S role=0 omit=false
Name name string S role=0 omit=false
Tags tags map[attr_test.status]bool SS role=0 omit=false of attr_test.status S
Times times []time.Time L role=0 omit=false of time.Time N
Version version uint8 N role=1 omit=false
Rest  attr.Item M role=4 omit=false
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[time.Time](), reflect.TypeFor[*line](), reflect.TypeFor[struct{ F func() }]()} {
		if _, err := attr.Fields(typ); err == nil {
			t.Errorf("%v has fields", typ)
		}
	}
}

func TestCodecOf(t *testing.T) {
	type holder struct {
		ID    status           `ddb:"id"`
		At    *time.Time       `ddb:"at,epoch-s"`
		Note  attr.Opt[string] `ddb:"note"`
		Tags  []string         `ddb:"tags,set"`
		Count int32            `ddb:"count"`
		Price attr.Number      `ddb:"price"`
	}
	all, err := attr.Fields(reflect.TypeFor[holder]())
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]attr.StructField{}
	for _, f := range all {
		fields[f.Name] = f
	}
	checkCodec(t, fields["id"], status("x"), `{"S":"x"}`)
	checkCodec(t, fields["at"], noon.Truncate(time.Second), `{"N":"1779019200"}`)
	checkCodec(t, fields["at"], (*time.Time)(nil), `{}`)
	checkCodec(t, fields["note"], "x", `{"S":"x"}`)
	checkCodec(t, fields["note"], attr.None[string](), `{"NULL":true}`)
	checkCodec(t, fields["tags"], []string{"a", "b"}, `{"SS":["a","b"]}`)
	checkCodec(t, fields["count"], int32(-500), `{"N":"-500"}`)
	checkCodec(t, fields["price"], attr.Dec("1.5"), `{"N":"1.5"}`)
	elem, _ := fields["tags"].Elem()
	checkCodec(t, elem, "a", `{"S":"a"}`)
	if _, err := attr.CodecOf[int](fields["id"]); err == nil {
		t.Error("a text as an int")
	}
	if _, err := attr.CodecOf[string](fields["id"]); err == nil {
		t.Error("a status as a string")
	}
}

func TestCodecOfAllocations(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	type holder struct {
		ID    status `ddb:"id"`
		Count int32  `ddb:"count"`
	}
	all, err := attr.Fields(reflect.TypeFor[holder]())
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b attr.StructField) int { return strings.Compare(a.Name, b.Name) })
	count, err := attr.CodecOf[int32](all[0])
	if err != nil {
		t.Fatal(err)
	}
	id, err := attr.CodecOf[status](all[1])
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = id.Value("paid") }); n > 0 {
		t.Errorf("a text: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = count.Value(1234) }); n > 1 {
		t.Errorf("a number: %v allocations", n)
	}
}

// Fields are alike if what they hold is written in one way, whatever they are called.
func TestAlike(t *testing.T) {
	type some struct {
		Name   string                   `ddb:"name"`
		Other  *string                  `ddb:"other,omitzero"`
		Opt    attr.Opt[string]         `ddb:"opt,omitzero"`
		Status status                   `ddb:"status"`
		At     time.Time                `ddb:"at,iso"`
		Second attr.Opt[time.Time]      `ddb:"second,epoch-s"`
		Tags   []string                 `ddb:"tags,set"`
		List   attr.Opt[[]string]       `ddb:"list"`
		Places map[string]attr.Opt[int] `ddb:"places"`
	}
	fields, err := attr.Fields(reflect.TypeFor[some]())
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]attr.StructField{}
	for _, f := range fields {
		at[f.Name] = f
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"name", "other", true}, {"name", "opt", true}, {"name", "status", false}, {"at", "second", false}, {"tags", "list", false}, {"places", "places", true},
	} {
		if got := at[c.a].Alike(at[c.b]); got != c.want || at[c.b].Alike(at[c.a]) != got {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

func checkCodec[V any](t *testing.T, f attr.StructField, v V, want string) {
	t.Helper()
	c, err := attr.CodecOf[V](f)
	if err != nil {
		t.Error(err)
		return
	}
	value, err := c.Value(v)
	if err != nil || value.String() != want {
		t.Errorf("%v %v, want %s", value, err, want)
	}
	if c.Kind() != f.Kind {
		t.Errorf("kind %v", c.Kind())
	}
	var again V
	if err := c.Set(&again, value); err != nil || !reflect.DeepEqual(again, v) {
		t.Errorf("%s reads as %#v %v", want, again, err)
	}
}
