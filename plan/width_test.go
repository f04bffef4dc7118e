package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/spec"
)

// TestWidth holds that parts of one width take it in every text.
func TestWidth(t *testing.T) {
	fixed := map[string]int{"iso": len("2026-11-21T09:04:00.000Z"), "day": len("2026-11-21"), "month": len("2026-11"), "ms13": 13}
	seen := 0
	for _, table := range shop(t).Tables {
		for _, k := range table.Kinds {
			for _, r := range k.Recipes {
				for _, p := range r.Parts {
					width := p.Width()
					if len(p.Codecs) > 0 && fixed[p.Codecs[0]] > 0 {
						seen++
						if width != fixed[p.Codecs[0]] {
							t.Errorf("{%s:%s} is %d bytes wide, not %d", p.Path, p.Codecs[0], width, fixed[p.Codecs[0]])
						}
					} else if p.Attribute != nil && p.Attribute.Type == spec.String && width != 0 {
						t.Errorf("{%s} is a text of any length, and said to be %d bytes wide", p.Path, width)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no template of the shop has a part of one width")
	}
}
