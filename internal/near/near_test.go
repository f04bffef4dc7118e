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
		{"x", nil, ""},
	} {
		if got := Name(c.name, c.candidates); got != c.want {
			t.Errorf("Name(%q, %q) = %q, want %q", c.name, c.candidates, got, c.want)
		}
	}
}
