package attr_test

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf16"

	"github.com/tablewright/tablewright/attr"
)

// TestAppendText writes what encoding/json reads back, with the escapes that DynamoDB's JSON needs.
func TestAppendText(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c", "tab\tnew\nline\x00\x1f", "ö€😀", "bad\xffbytes"} {
		got := attr.AppendText([]byte("x"), s)
		var back string
		if err := json.Unmarshal(got[1:], &back); err != nil || got[0] != 'x' || back != string([]rune(s)) {
			t.Errorf("%q: %s, %q, %v", s, got, back, err)
		}
	}
}

// TestDecoderPlaces tells where a decoder is and what it was given.
func TestDecoderPlaces(t *testing.T) {
	d := attr.NewDecoder([]byte(`"one" "two"`))
	first := string(d.TextBytes())
	if first != "one" || d.Rest() != len(` "two"`) {
		t.Errorf("%q, %d bytes left", first, d.Rest())
	}
	d = attr.NewDecoder([]byte(` 12`))
	d.Refuse("no numbers here")
	var refused *attr.TypeError
	if err := d.End(); !errors.As(err, &refused) || refused.Offset != 1 || refused.Message != "no numbers here" {
		t.Errorf("%#v", d.End())
	}
	d = attr.NewDecoder([]byte(`{`)) // what is no JSON is that first of all
	d.Refuse("no objects here")
	var syntax *attr.SyntaxError
	if err := d.End(); !errors.As(err, &syntax) {
		t.Errorf("%v", err)
	}
}

func TestNumberError(t *testing.T) {
	_, err := attr.ParseNumber("1O")
	var bad *attr.NumberError
	if !errors.As(err, &bad) || !errors.Is(err, attr.ErrNumberSyntax) || bad.Text != "1O" || bad.Error() != attr.ErrNumberSyntax.Error()+": 1O" {
		t.Errorf("%v", err)
	}
	_, err = attr.ParseNumber("1e200")
	if !errors.As(err, &bad) || !errors.Is(err, attr.ErrNumberOverflow) || bad.Error() != attr.ErrNumberOverflow.Error() {
		t.Errorf("%v", err)
	}
}

// TestOptIsZero: absent is zero, NULL and a zero value are something.
func TestOptIsZero(t *testing.T) {
	var absent attr.Opt[int]
	if !absent.IsZero() || attr.None[int]().IsZero() || attr.Some(0).IsZero() {
		t.Error("an Opt is zero where it is absent")
	}
}

func TestUTF16Len(t *testing.T) {
	for _, s := range []string{"", "abc", "öäü", "€", "😀", "a😀ö€b"} {
		if got, want := attr.UTF16Len(s), len(utf16.Encode([]rune(s))); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
