package stats

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// What expressions name is the same whether they were met before or not, of few and of more than are kept.
func TestKnownUses(t *testing.T) {
	for _, different := range []int{1, 3, 4, 5, 40} {
		var known knownUses
		for i := range 40 * different {
			n := i % different
			r := request{names: json.RawMessage(fmt.Sprintf(`{"#a":"alpha%d","#b":"beta"}`, n)), condition: json.RawMessage(`"#b = :b"`),
				update: json.RawMessage(fmt.Sprintf(`"SET #a = :a, gamma%d = gamma%d + :one"`, n, n))}
			var got, want Detail
			known.note(&got, &r)
			want.expressions(&r)
			same := func(a, b Attribute) bool {
				return string(a.Name) == string(b.Name) && a.Use == b.Use && a.Count == b.Count
			}
			if len(want.Attributes) < 4 || !slices.EqualFunc(got.Attributes, want.Attributes, same) {
				t.Fatalf("%d of %d: %v, want %v", n, different, got.Attributes, want.Attributes)
			}
			for _, text := range []json.RawMessage{r.names, r.update} { // the request is gone
				clear(text)
			}
		}
	}
	var known knownUses
	var d Detail
	known.note(&d, &request{names: json.RawMessage(`{"#a":"alpha"}`)})
	if len(d.Attributes) > 0 || known.missed > 0 {
		t.Errorf("names without an expression name %v", d.Attributes)
	}
}
