package schema_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/schema"
)

type Base struct {
	Owner string `ddb:"owner" check:"len=1..3"`
}

type Extra struct {
	Level int `ddb:"level" check:"range=1..3"`
}

type Point struct {
	X float64 `ddb:"x" check:"range=0..1"`
	Y float32 `ddb:"y" check:"above=-1,below=1"`
}

type Level string

// Everything has a field of every kind that can have rules.
type Everything struct {
	Base
	*Extra
	ID       string                    `ddb:"id" check:"len=2..4"`
	Level2   Level                     `ddb:"lev" check:"enum=a|b|ü"`
	Ref      *string                   `ddb:"ref" check:"required,pattern=^r"`
	Maybe    attr.Opt[string]          `ddb:"maybe" check:"len=..2"`
	Small    int8                      `ddb:"small"`
	Count    int                       `ddb:"count" check:"range=-3..7"`
	Big      uint64                    `ddb:"big" check:"above=0"`
	Odd      uint16                    `ddb:"odd" check:"below=2.5"`
	Five     int                       `ddb:"five" check:"multiple=5"`
	Price    attr.Number               `ddb:"price" check:"range=0..99,decimals=2"`
	Rate     float64                   `ddb:"rate" check:"range=0..1"`
	Half     float64                   `ddb:"half" check:"multiple=0.5"`
	Whole    float64                   `ddb:"whole" check:"integer"`
	Huge     *big.Int                  `ddb:"huge" check:"range=0..1000"`
	Addr     netip.Addr                `ddb:"addr" check:"len=2.."`
	Raw      []byte                    `ddb:"raw" check:"len=..3"`
	Hash     [4]byte                   `ddb:"hash"`
	Yes      bool                      `ddb:"yes"`
	At       time.Time                 `ddb:"at"`
	Until    time.Time                 `ddb:"until,epoch-s,omitzero"`
	Point    Point                     `ddb:"point"`
	Points   []Point                   `ddb:"points" check:"len=..2"`
	PP       []*Point                  `ddb:"pp"`
	Tags     []string                  `ddb:"tags,set" check:"len=1..2,each,len=1..3"`
	Nums     map[int]bool              `ddb:"nums,set" check:"len=..2"`
	Words    map[string]string         `ddb:"words" check:"len=..2,keys,len=..3,each,len=1.."`
	ByNumber map[int8]Point            `ddb:"byNumber"`
	Deep     map[string][]Point        `ddb:"deep" check:"each,len=1.."`
	Any      any                       `ddb:"any"`
	Value    attr.Value                `ddb:"value"`
	Kids     []Everything              `ddb:"kids,omitzero" check:"len=..2"`
	Free     attr.Item                 `ddb:"free,omitzero"`
	Nested   attr.Opt[[]attr.Opt[int]] `ddb:"nested" check:"each,range=0..2"`
	Empty    string                    `dynamodbav:"empty,omitempty" check:"len=2.."`
}

var everything = schema.Of[Everything]()

// valid is a value that keeps all rules.
func valid() Everything {
	r := "r1"
	return Everything{
		Base: Base{"me"}, ID: "id", Level2: "ü", Ref: &r, Big: 1, Five: 10, Price: attr.Dec("19.99"), Rate: 0.5, Half: 1.5, Whole: 3,
		Huge: big.NewInt(7), Addr: netip.MustParseAddr("::1"), At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Point: Point{0.5, 0.5},
		Points: []Point{{0.1, 0.2}}, Tags: []string{"a", "b"}, Words: map[string]string{"k": "v"}, Deep: map[string][]Point{"d": {{0.1, 0}}},
		Kids: nil,
	}
}

// changes break one rule each; path and rule say what is to be found.
var changes = []struct {
	path, rule string
	change     func(*Everything)
}{
	{"owner", "len", func(e *Everything) { e.Owner = "" }},
	{"level", "range", func(e *Everything) { e.Extra = &Extra{4} }},
	{"id", "len", func(e *Everything) { e.ID = "12345" }},
	{"id", "len", func(e *Everything) { e.ID = "ü" }},
	{"lev", "enum", func(e *Everything) { e.Level2 = "" }},
	{"ref", "required", func(e *Everything) { e.Ref = nil }},
	{"ref", "pattern", func(e *Everything) { s := "x"; e.Ref = &s }},
	{"maybe", "len", func(e *Everything) { e.Maybe = attr.Some("123") }},
	{"count", "range", func(e *Everything) { e.Count = 8 }},
	{"count", "range", func(e *Everything) { e.Count = -4 }},
	{"big", "above", func(e *Everything) { e.Big = 0 }},
	{"odd", "below", func(e *Everything) { e.Odd = 3 }},
	{"five", "multiple", func(e *Everything) { e.Five = 3 }},
	{"price", "decimals", func(e *Everything) { e.Price = attr.Dec("1.001") }},
	{"price", "range", func(e *Everything) { e.Price = attr.Dec("99.01") }},
	{"rate", "range", func(e *Everything) { e.Rate = 1.0000001 }},
	{"rate", "range", func(e *Everything) { e.Rate = -1e-9 }},
	{"half", "multiple", func(e *Everything) { e.Half = 0.25 }},
	{"whole", "integer", func(e *Everything) { e.Whole = 0.25 }},
	{"huge", "range", func(e *Everything) { e.Huge = big.NewInt(1001) }},
	{"addr", "len", func(e *Everything) { e.Addr = netip.Addr{} }},
	{"raw", "len", func(e *Everything) { e.Raw = []byte("1234") }},
	{"point.x", "range", func(e *Everything) { e.Point.X = 2 }},
	{"point.y", "below", func(e *Everything) { e.Point.Y = 1 }},
	{"point.y", "above", func(e *Everything) { e.Point.Y = -1 }},
	{"points", "len", func(e *Everything) { e.Points = make([]Point, 3) }},
	{"points[1].x", "range", func(e *Everything) { e.Points = []Point{{}, {X: -1}} }},
	{"pp[1].x", "range", func(e *Everything) { e.PP = []*Point{nil, {X: -1}} }},
	{"tags", "len", func(e *Everything) { e.Tags = []string{"a", "b", "c"} }},
	{"tags[0]", "len", func(e *Everything) { e.Tags = []string{"four", "a"} }}, // a set is in order: "a" is [0]
	{"nums", "len", func(e *Everything) { e.Nums = map[int]bool{1: true, 2: true, 3: true} }},
	{"words", "len", func(e *Everything) { e.Words = map[string]string{"a": "1", "b": "2", "c": "3"} }},
	{"words.long", "len", func(e *Everything) { e.Words = map[string]string{"long": "1"} }},
	{"words.k", "len", func(e *Everything) { e.Words = map[string]string{"k": ""} }},
	{"byNumber.7.x", "range", func(e *Everything) { e.ByNumber = map[int8]Point{7: {X: 3}} }},
	{"deep.a", "len", func(e *Everything) { e.Deep = map[string][]Point{"a": {}} }},
	{"deep.a[0].x", "range", func(e *Everything) { e.Deep = map[string][]Point{"a": {{X: 9}}} }},
	{"kids[0].id", "len", func(e *Everything) { k := valid(); k.ID = ""; e.Kids = []Everything{k} }},
	{"nested[1]", "range", func(e *Everything) { e.Nested = attr.Some([]attr.Opt[int]{attr.None[int](), attr.Some(3)}) }},
	{"empty", "len", func(e *Everything) { e.Empty = "1" }},
}

// harmless changes keep all rules.
var harmless = []func(*Everything){
	func(e *Everything) { e.Extra = &Extra{3} },
	func(e *Everything) { e.ID = "üüüü" },
	func(e *Everything) { e.Maybe = attr.None[string]() },
	func(e *Everything) { e.Maybe = attr.Some("12") },
	func(e *Everything) { e.Count = 7 },
	func(e *Everything) { e.Count = -3 },
	func(e *Everything) { e.Big = math.MaxUint64 },
	func(e *Everything) { e.Odd = 2 },
	func(e *Everything) { e.Rate = 1 },
	func(e *Everything) { e.Rate = 0 },
	func(e *Everything) { e.Huge = nil },
	func(e *Everything) { e.Raw = []byte{} },
	func(e *Everything) { e.Until = time.Unix(1, 0) },
	func(e *Everything) { e.Points = nil },
	func(e *Everything) { e.PP = []*Point{nil, {}} },
	func(e *Everything) { e.Tags = []string{"a", "a", "a"} }, // one element
	func(e *Everything) { e.Tags = nil },
	func(e *Everything) { e.Nums = map[int]bool{1: true, 2: false, 3: false, 4: true} },
	func(e *Everything) { e.Words = nil },
	func(e *Everything) { e.Any, e.Value = 7, attr.Text("x") },
	func(e *Everything) { e.Kids = []Everything{valid(), valid()} },
	func(e *Everything) { e.Free.Set("x", attr.Null()) },
	func(e *Everything) { e.Nested = attr.Some([]attr.Opt[int]{attr.Some(2)}) },
	func(e *Everything) { e.Empty = "12" },
}

func TestEveryRuleIsFoundOnGoValues(t *testing.T) {
	e := valid()
	if err := everything.Check(&e); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		e := valid()
		c.change(&e)
		err := everything.Check(&e)
		wrong, ok := errors.AsType[*schema.Error](err)
		path := c.path
		if strings.HasPrefix(path, "tags[") {
			path = "tags[1]"
		}
		if !ok || len(wrong.Problems) != 1 || wrong.Problems[0].Path != path || wrong.Problems[0].Rule != c.rule {
			t.Errorf("%s %s: %v", c.path, c.rule, err)
		}
	}
	for i, change := range harmless {
		e := valid()
		change(&e)
		if err := everything.Check(&e); err != nil {
			t.Errorf("harmless change %d: %v", i, err)
		}
	}
}

// Several changes at once: the plan of the Go type never takes what the shape refuses, and the error has every problem.
func TestPlanAgreesWithShape(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	quick, good := 0, 0
	for range 3_000 {
		e := valid()
		want := map[string]bool{}
		for range r.IntN(3) {
			harmless[r.IntN(len(harmless))](&e)
		}
		for range r.IntN(3) {
			c := changes[r.IntN(len(changes))]
			c.change(&e)
			want[c.path] = true
		}
		it, err := attr.MarshalItem(&e)
		if err != nil {
			t.Fatal(err)
		}
		byShape, byValue := everything.Shape.Check(it), everything.Check(&e)
		if fmt.Sprint(byShape) != fmt.Sprint(byValue) {
			t.Fatalf("of the item %v, of the value %v", byShape, byValue)
		}
		q := schema.Quick(everything, &e)
		if q && byShape != nil {
			t.Fatalf("the plan takes what the shape refuses: %v", byShape)
		}
		if byShape == nil {
			good++
			if q {
				quick++
			}
			parsed, err := everything.Parse(it)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := attr.MarshalItem(&parsed); err != nil || !attr.EqualItems(again, it) {
				t.Fatalf("parsed it is another item: %v", err)
			}
		} else if len(want) == 0 {
			t.Fatal(byShape)
		}
	}
	if quick == 0 || good < 500 {
		t.Errorf("%d of %d good values were found by the plan alone", quick, good)
	}
}

// Plain is a type as most are.
type Plain struct {
	ID    string      `ddb:"id" check:"len=1..40"`
	State Level       `ddb:"state" check:"enum=a|b|c"`
	Total attr.Number `ddb:"total" check:"range=0..10000"`
	Qty   int         `ddb:"qty" check:"range=1..99"`
	Rate  float64     `ddb:"rate" check:"range=0..1"`
	Mail  string      `ddb:"mail" check:"pattern=^[^@]+@[^@]+$"`
	At    time.Time   `ddb:"at"`
	Ship  struct {
		City string `ddb:"city" check:"len=..80"`
	} `ddb:"ship"`
	Lines []Line   `ddb:"lines" check:"len=1..50"`
	Tags  []string `ddb:"tags,set,omitzero" check:"each,len=1..10"`
	Note  *string  `ddb:"note" check:"len=..100"`
}

var plains = schema.Of[Plain]()

func plain() Plain {
	note := "ring twice"
	p := Plain{ID: "p1", State: "b", Total: attr.Dec("19.90"), Qty: 3, Rate: 0.25, Mail: "ada@example.org", At: time.Unix(1, 0),
		Lines: []Line{{"s1", 1}, {"s2", 2}}, Tags: []string{"x", "y"}, Note: &note}
	p.Ship.City = "Oslo"
	return p
}

func TestCheckAllocatesNothing(t *testing.T) {
	p := plain()
	if err := plains.Prepare(&p); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if plains.Check(&p) != nil || plains.Prepare(&p) != nil {
			t.Error("refused")
		}
	}); n > 0 {
		t.Errorf("a check of a valid value allocates %v times", n)
	}
	it, _ := attr.MarshalItem(&p)
	if n := testing.AllocsPerRun(100, func() {
		if plains.Shape.Check(it) != nil {
			t.Error("refused")
		}
	}); n > 0 {
		t.Errorf("a check of a valid item allocates %v times", n)
	}
}

func BenchmarkCheck(b *testing.B) {
	p := plain()
	b.ReportAllocs()
	for b.Loop() {
		if err := plains.Check(&p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckItem(b *testing.B) {
	p := plain()
	it, _ := attr.MarshalItem(&p)
	b.ReportAllocs()
	for b.Loop() {
		if err := plains.Shape.Check(it); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEncode is what writing the same value costs, for comparison.
func BenchmarkEncode(b *testing.B) {
	p := plain()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = attr.Encode(buf[:0], &p); err != nil {
			b.Fatal(err)
		}
	}
}

type Leaf struct {
	Kind string `ddb:"kind,omitzero" check:"default=leaf"`
	N    *int   `ddb:"n" check:"default=7"`
}

type Tree struct {
	Leaf  Leaf            `ddb:"leaf"`
	To    *Leaf           `ddb:"to"`
	Many  []Leaf          `ddb:"many"`
	ByKey map[string]Leaf `ddb:"byKey"`
	Maybe attr.Opt[Leaf]  `ddb:"maybe"`
	Below []Tree          `ddb:"below"`
	Gone  Leaf            `ddb:"gone,omitzero"`
	Sum   int             `ddb:"sum" check:"computed=Add"`
}

// Add counts what is under the tree.
func (t *Tree) Add() int { return len(t.Many) + len(t.Below) }

var trees = schema.Of[Tree]()

// Completing a value leaves what it shares with others as it is, and is what completing its item is.
func TestComplete(t *testing.T) {
	make := func() Tree {
		return Tree{To: &Leaf{}, Many: []Leaf{{Kind: "x"}, {}}, ByKey: map[string]Leaf{"a": {}, "b": {Kind: "y"}}, Maybe: attr.Some(Leaf{}),
			Below: []Tree{{Many: []Leaf{{}}}}}
	}
	shared := make()
	v := shared
	trees.Complete(&v)
	if !reflect.DeepEqual(shared, make()) {
		t.Errorf("what is shared was changed: %+v", shared)
	}
	if v.Leaf.Kind != "leaf" || *v.Leaf.N != 7 || v.To.Kind != "leaf" || v.Many[0].Kind != "x" || *v.Many[1].N != 7 || v.ByKey["a"].Kind != "leaf" ||
		v.ByKey["b"].Kind != "y" || v.Maybe.V.Kind != "leaf" || v.Below[0].Many[0].Kind != "leaf" || v.Gone != (Leaf{}) || v.Sum != 3 || v.Below[0].Sum != 1 {
		t.Errorf("completed: %+v", v)
	}
	if err := trees.Check(&v); err != nil {
		t.Error(err)
	}
	before, _ := attr.MarshalItem(&shared)
	after, _ := attr.MarshalItem(&v)
	if parsed, err := trees.Shape.Parse(before); err != nil || !attr.EqualItems(parsed, after) {
		t.Errorf("the item, completed, is another one: %v\n%v\n%v", err, parsed, after)
	}
	v.Below[0].Sum = 5
	if err := trees.Check(&v); err == nil || err.Error() != "below[0].sum: must be what it is computed from" {
		t.Error(err)
	}
	if err := trees.Prepare(&v); err != nil || v.Below[0].Sum != 1 {
		t.Error(err, v.Below[0].Sum)
	}
	complete := v
	if trees.Complete(&complete); &complete.Many[0] != &v.Many[0] {
		t.Error("what has nothing absent was copied")
	}
}

// A shape with functions of items computes Go values by their items.
func TestCompleteByItem(t *testing.T) {
	type counted struct {
		Words []string `ddb:"words"`
		N     int      `ddb:"n"`
	}
	s := schema.For[counted](schema.Object(
		schema.Optional("words", schema.List(schema.String())),
		schema.Computed("n", schema.Number(), func(it attr.Item) attr.Value {
			return attr.Num(attr.Int(int64(len(it.Get("words").Elems()))))
		}, "words"),
	))
	v := counted{Words: []string{"a", "b"}, N: 9}
	if err := s.Check(&v); err == nil {
		t.Error("another number was taken")
	}
	if err := s.Prepare(&v); err != nil || v.N != 2 {
		t.Error(v, err)
	}
	if it, err := s.ParseJSON([]byte(`{"words":["x"],"n":5}`)); err != nil || it.N != 1 {
		t.Error(it, err)
	}
	if picked := s.Shape.Pick(schema.Name("n")); picked.Check(attr.ItemOf(attr.Field{Name: "n", Value: attr.Num(attr.Int(3))})) != nil {
		t.Error("what can no longer be computed is computed")
	}
}

// Endless types and values that lead in circles end somewhere.
func TestCircles(t *testing.T) {
	type nested []nested
	type holder struct {
		N nested `ddb:"n"`
	}
	s := schema.Of[holder]()
	if err := s.Check(&holder{nested{nested{}, nil}}); err != nil {
		t.Error(err)
	}
	v := Ring{Kind: ""}
	v.Next = &v
	if err := schema.Of[Ring]().Prepare(&v); err == nil || !errors.Is(err, attr.ErrDepth) {
		t.Error(err)
	}
}

// Ring may lead to itself.
type Ring struct {
	Kind string `ddb:"kind,omitzero" check:"default=ring,len=1.."`
	Next *Ring  `ddb:"next"`
}
