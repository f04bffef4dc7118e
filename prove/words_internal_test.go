package prove

import (
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/spec"
)

// Texts have the size that was drawn, unique ones differ, and most can be read.
func TestTexts(t *testing.T) {
	for _, name := range []string{"", "customerId", "id", "sku", "email", "name", "homepageUrl", "phone", "description"} {
		for _, unique := range []bool{false, true} {
			s := newSource(3, time.Unix(0, 0))
			var a *spec.Attribute
			if name != "" {
				a = &spec.Attribute{Name: name}
			}
			seen, rogues, prefixes := map[string]bool{}, 0, 0
			const n = 4_000
			for i := range n {
				size := 8 + i%60
				text := s.text(a, size, unique)
				if len(text) != size {
					t.Fatalf("%s: %q has %d bytes, want %d", name, text, len(text), size)
				}
				if unique && seen[text] {
					t.Fatalf("%s: %q twice", name, text)
				}
				seen[text] = true
				if strings.ContainsAny(text, "#$!%~|_éßÖ漢😀") {
					rogues++
				}
			}
			for text := range seen {
				for cut := 8; cut < len(text); cut++ {
					if seen[text[:cut]] {
						prefixes++
						break
					}
				}
			}
			if rogues < n/24 || rogues > n/roguish {
				t.Errorf("%s: %d of %d texts are rogue", name, rogues, n)
			}
			if prefixes < 4 {
				t.Errorf("%s: %d texts begin as another does", name, prefixes)
			}
		}
	}
}

// Texts without room are as short as they can be where they have to differ, and exact where not.
func TestShortTexts(t *testing.T) {
	s := newSource(3, time.Unix(0, 0))
	for n := 1; n < 10; n++ {
		for range 100 {
			if text := s.text(&spec.Attribute{Name: "email"}, n, false); len(text) != n {
				t.Fatalf("%q has %d bytes, want %d", text, len(text), n)
			}
			if text := s.text(&spec.Attribute{Name: "codeId"}, n, true); len(text) < n || len(text) > max(n, 4) {
				t.Fatalf("%q has %d bytes, want %d", text, len(text), n)
			}
		}
	}
}
