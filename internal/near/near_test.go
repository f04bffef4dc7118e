package near

import "testing"

func TestName(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"custmerId", []string{"customerId", "orderId"}, "customerId"},
		{"customerID", []string{"customerId", "customId"}, "customerId"},
		{"statsu", []string{"states", "status"}, "status"},
		{"per_parent", []string{"parent", "per-parent"}, "per-parent"},
		{"colour", []string{"quantity", "price"}, ""},
		{"id", []string{"it", "to"}, "it"},
		{"ab", []string{"xy"}, ""},
		{"größe", []string{"grösse", "größer"}, "größer"},
		{"b", []string{"c", "a"}, "a"}, // a tie: the first in order
		{"copys", []string{"isbn", "copies", "copy-id"}, "copies"},
		{"payed", []string{"placed", "paid"}, ""}, // too little is left to tell
		{"x", nil, ""},
	} {
		if got := Name(c.name, c.candidates); got != c.want {
			t.Errorf("Name(%q, %q) = %q, want %q", c.name, c.candidates, got, c.want)
		}
	}
}

func TestBegun(t *testing.T) {
	rules := []string{"hot-partition", "hot-index-partition", "ttl-missing", "ttl-ignored"}
	for name, want := range map[string]string{"hot-part": "hot-partition", "Hot": "hot-partition", "partition": "hot-partition", "hot-ind": "hot-index-partition",
		"ttl": "ttl-ignored", "tt": "", "artition": "", "hot-partition": "", "none": ""} {
		if got := Begun(name, rules); got != want {
			t.Errorf("Begun(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for name, want := range map[string]string{"per-parent": "perparent", "Per_Parent": "perparent", "Größe": "größe"} {
		if got := Fold(name); got != want {
			t.Errorf("Fold(%q) = %q, want %q", name, got, want)
		}
	}
}
