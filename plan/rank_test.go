package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// A rank writes values so that their texts, or numbers, sort as is stated, and reads them back.
func TestRank(t *testing.T) {
	names := []string{"urgent", "soon", "later", "a", "b", "c", "d", "e", "f", "g", "never"}
	a := &spec.Attribute{Name: "grade", Type: spec.String, Enum: names, Sorts: spec.AsStated}
	for _, list := range []string{strings.Join(names, ","), "urgent=1,soon=20,later=30,a=31,b=32,c=33,d=34,e=35,f=36,g=37,never=400"} {
		for _, wire := range []Type{S, N} {
			c, err := newCodec(a, []string{"rank(" + list + ")"}, wire, true, 0)
			if err != nil {
				t.Fatal(err)
			}
			if c.order != keys.Same {
				t.Errorf("%s: order %s", list, c.order)
			}
			var written []attr.Value
			for _, n := range names {
				var v, back attr.Value
				if wire == N {
					v, err = c.number(attr.Text(n))
					if err == nil {
						back, err = c.back(v)
					}
				} else {
					var text []byte
					text, err = c.encode(nil, attr.Text(n))
					v = attr.Text(string(text))
					if err == nil && (!c.accepts(v.Str()) || len(text) != c.width) {
						t.Errorf("%s is written as %s", n, text)
					}
					if err == nil {
						back, err = c.decode(v.Str())
					}
				}
				if err != nil || back.Str() != n {
					t.Errorf("%s comes back as %s: %v", n, back.Str(), err)
				}
				written = append(written, v)
			}
			if !slices.IsSortedFunc(written, attr.Compare) {
				t.Errorf("%s is written as %v", list, written)
			}
		}
	}
	unsorted := *a
	unsorted.Sorts = spec.AsText
	for _, x := range []struct {
		of    *spec.Attribute
		codec string
		order keys.Order
		err   string
	}{
		{&unsorted, "rank(" + strings.Join(names, ",") + ")", keys.NoOrder, ""},
		{a, "raw", keys.NoOrder, ""},
		{&unsorted, "raw", keys.Same, ""},
		{a, "rank(urgent,soon)", 0, "needs a place of its own"},
		{a, "rank(urgent=1,soon=1)", 0, "needs a place of its own"},
		{a, "rank(urgent,often)", 0, "no value of grade"},
		{a, "rank(urgent=x)", 0, "no place"},
		{a, "rank(urgent", 0, "is not a codec"},
		{&spec.Attribute{Name: "title", Type: spec.String}, "rank(a)", 0, "for states and enum"},
	} {
		c, err := newCodec(x.of, []string{x.codec}, S, true, 0)
		switch {
		case x.err == "" && (err != nil || c.order != x.order):
			t.Errorf("%s: %v", x.codec, err)
		case x.err != "" && (err == nil || !strings.Contains(err.Error(), x.err)):
			t.Errorf("%s: %v", x.codec, err)
		}
	}
}

// True and false are words in a key, false before true.
func TestBoolInTemplate(t *testing.T) {
	a := &spec.Attribute{Name: "lit", Type: spec.Bool}
	c, err := newCodec(a, nil, S, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{false, true} {
		text, err := c.encode(nil, attr.Bool(want))
		if err != nil || !c.accepts(string(text)) {
			t.Errorf("%s: %v", text, err)
		}
		if back, err := c.decode(string(text)); err != nil || back.Bool() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := c.encode(nil, attr.Text("true")); err == nil || c.accepts("yes") {
		t.Error("a text is written as a bool")
	}
	if _, err := newCodec(a, []string{"iso"}, S, false, 0); err == nil {
		t.Error("a bool has a time")
	}
}

// A time to live may be so much later than a time that is stored.
func TestPlus(t *testing.T) {
	a := &spec.Attribute{Name: "at", Type: spec.Timestamp}
	c, err := newCodec(a, []string{"epoch-s", "plus 90 days"}, N, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.number(attr.Text("2026-01-01T00:00:01.500Z"))
	if err != nil || v.Str() != "1775001601" || c.readable || c.order != keys.NoOrder {
		t.Errorf("%v %v", v, err)
	}
	for _, names := range [][]string{{"iso", "plus 90 days"}, {"epoch-s", "plus often"}, {"plus 90 days"}} {
		if _, err := newCodec(a, names, N, true, 0); err == nil {
			t.Errorf("%v is a codec", names)
		}
	}
}
