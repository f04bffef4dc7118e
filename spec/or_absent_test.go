package spec_test

import (
	"testing"

	"github.com/tablewright/tablewright/spec"
)

func TestOrAbsent(t *testing.T) {
	for text, want := range map[string]string{
		"absent(until) or until >= now":                "until >= now",
		"until < $day or absent(until)":                "until < $day",
		"absent(until) or until = $day":                "",
		"absent(until) or since >= now":                "",
		"absent(until) and until >= now":               "",
		"absent(until) or until >= now or since > now": "",
		"exists(until) or until >= now":                "",
		"until >= now":                                 "",
		"absent or until >= now":                       "",
	} {
		c, err := spec.ParseCondition(text)
		if err != nil {
			t.Fatal(text, err)
		}
		got := ""
		if path, test := spec.OrAbsent(c); test != nil {
			if got = test.String(); path.String() != "until" {
				t.Errorf("%s is of %s", text, path)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
