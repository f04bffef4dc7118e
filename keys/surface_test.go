package keys_test

import (
	"testing"

	"github.com/tablewright/tablewright/keys"
)

// TestText escapes what sorts below and with the separator, and reads back that alone.
func TestText(t *testing.T) {
	for s, want := range map[string]string{"": "", "Oslo": "Oslo", "a#b": "a$23b", "a b": "a$20b", "$": "$24", "ö%&": "ö%&", "\x00": "$00"} {
		got := string(keys.AppendText([]byte("k#"), s))
		back, err := keys.DecodeText(got[2:])
		if got != "k#"+want || err != nil || back != s {
			t.Errorf("%q: %q, back %q, %v", s, got, back, err)
		}
	}
	for _, s := range []string{"a#b", "$", "$2", "$2x", "$25", "$2f", "a b", "$ 3"} {
		if back, err := keys.DecodeText(s); err == nil {
			t.Errorf("%q was read as %q, which is written otherwise", s, back)
		}
	}
}

func TestInverted(t *testing.T) {
	pad := keys.Pad(4, 0)
	inverted, ok := pad.Inverted()
	if !ok || inverted.String() != "pad4:inverted" || pad.Order() != keys.Same || inverted.Order() != keys.Reversed {
		t.Errorf("%v, %v, %v", inverted, ok, inverted.Order())
	}
	if again, ok := inverted.Inverted(); ok {
		t.Errorf("inverted twice: %v", again)
	}
	if text, err := keys.ParseCodec("text"); err != nil {
		t.Error(err)
	} else if c, ok := text.Inverted(); ok {
		t.Errorf("a text was inverted: %v", c)
	}
}
