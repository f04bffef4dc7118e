package conformance

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/wire"
)

// canned answers every operation with what it says.
type canned map[string]string

func (c canned) Do(_ context.Context, operation string, _ []byte) ([]byte, error) {
	answer, ok := c[operation]
	if code, message, refused := strings.Cut(answer, ": "); refused && !strings.HasPrefix(answer, "{") {
		return nil, &wire.Error{Code: code, Message: message}
	}
	if !ok {
		return []byte("{}"), nil
	}
	return []byte(answer), nil
}

// TestCasesCanFail: every kind of expectation refuses what is not as expected.
func TestCasesCanFail(t *testing.T) {
	for _, c := range []struct{ text, answer, want string }{
		{"< {\"a\":1}", `{"a":1.0}`, ""},
		{"< {\"a\":1}", `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"< {\"a\":{\"SS\":[\"x\",\"y\"]}}", `{"a":{"SS":["y","x"]}}`, ""},
		{"< {\"a\":{\"L\":[\"x\",\"y\"]}}", `{"a":{"L":["y","x"]}}`, `{"a":{"L":["y","x"]}}`},
		{"< {}", `Broken: no`, `{"__type":"com.amazonaws.dynamodb.v20120810#Broken","message":"no"}`},
		{"~ {\"a\":{\"b\":1}}", `{"a":{"b":1,"c":2}}`, ""},
		{"~ {\"a\":null}", `{"a":1}`, `{"a":1}`},
		{"~ {\"a\":[1]}", `{"a":[1,2]}`, `{"a":[1,2]}`},
		{"! Broken: no", `Broken: no`, ""},
		{"! Broken: yes | Broken: no", `Broken: no`, ""},
		{"! Broken: no", `Broken: yes`, `Broken: yes`},
		{"! Broken: no", `{}`, `{}`},
		{"@ x A", `{}`, `{}`},
		{"", `Broken: no`, `Broken: no`},
	} {
		cases, err := parse("f.txt", "= case\n> Op {}\n"+c.text+"\n")
		if err != nil {
			t.Fatal(err)
		}
		err = cases[0].Run(context.Background(), canned{"Op": c.answer, "ListTables": `{"TableNames":[]}`})
		var f *Failure
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q of %s: %v", c.text, c.answer, err)
		case c.want != "" && (!errors.As(err, &f) || f.Got != c.want):
			t.Errorf("%q of %s: %v, want a failure with %s", c.text, c.answer, err, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	cases, err := parse("f.txt", "> Setup {\n  }\n\n# because\n# of this\n= one\n> Op\n= two\n> Op {}\n< {}\n")
	if err != nil || len(cases) != 2 {
		t.Fatal(cases, err)
	}
	if c := cases[0]; c.Name != "f: one" || c.Why != "because of this" || c.Place != "f.txt:6" || len(c.steps) != 2 || c.steps[0].request != "{ }" {
		t.Errorf("%+v", c)
	}
	if c := cases[1]; c.Why != "" || len(c.steps) != 2 {
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{"< {}", "? x", " x"} {
		if _, err := parse("f.txt", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
