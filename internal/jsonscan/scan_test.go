package jsonscan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/jsonscan"
)

func TestMembersAndElements(t *testing.T) {
	const text = ` {"a" : [1, {"x":"]"} ,"\"}\\"], "b":{}, "c":-1.5e3 ,"d":[],"e":"q\"" , "f":null } tail`
	var got []string
	end, err := jsonscan.Members([]byte(text), 0, func(name []byte, start, end int) error {
		got = append(got, string(name)+"="+text[start:end])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `a=[1, {"x":"]"} ,"\"}\\"]|b={}|c=-1.5e3|d=[]|e="q\""|f=null`
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("members %s\nwant    %s", s, want)
	}
	if text[end:] != " tail" {
		t.Errorf("ends before %q", text[end:])
	}
	got = nil
	if _, err := jsonscan.Elements([]byte(`[1, {"x":"]"} ,"\"}\\"]`), 0, func(start, end int) error {
		got = append(got, string([]byte(`[1, {"x":"]"} ,"\"}\\"]`)[start:end]))
		return nil
	}); err != nil || strings.Join(got, "|") != `1|{"x":"]"}|"\"}\\"` {
		t.Errorf("elements %q, %v", got, err)
	}
}

func TestCutOff(t *testing.T) {
	const text = `{"a":[1,{"x":"]"}],"b":"q\""}`
	for i := range len(text) {
		if _, err := jsonscan.Members([]byte(text[:i]), 0, func([]byte, int, int) error { return nil }); err == nil {
			t.Errorf("%s: no error", text[:i])
		}
	}
}

// FuzzString holds the strings of this package against encoding/json: what one writes the other reads.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", `q"\`, "\x00\x1f\n", "é😀", "\xff\xc3", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal(jsonscan.AppendString(nil, s), &back); err != nil || back != strings.ToValidUTF8(s, "\uFFFD") && strings.ToValidUTF8(s, "") == s {
			t.Errorf("%q reads back as %q, %v", s, back, err)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := jsonscan.String(text); err != nil || got != back {
			t.Errorf("%s reads as %q, %v, want %q", text, got, err, back)
		}
	})
}

// FuzzSkip holds the ends this package finds against encoding/json: of well-formed text the whole is one value.
func FuzzSkip(f *testing.F) {
	for _, s := range []string{`{}`, `[1,2,{"a":"b\\"}]`, `"x"`, `-1.5`, ` true `, `{"a":{"b":[]}}`, `[`, `"\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		end, err := jsonscan.Skip(b, 0)
		if !json.Valid(b) {
			return // only: no panic
		}
		if err != nil || jsonscan.Space(b, end) != len(b) {
			t.Errorf("%q: ends at %d of %d, %v", b, end, len(b), err)
		}
	})
}
