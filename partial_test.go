package tablewright_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/tablewright/tablewright"
)

// What a body of a PATCH request does: absent, null and value, by text.
func TestPartial(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		for _, c := range []struct {
			body    string
			note    string
			city    string
			version int
		}{
			{`{}`, "ring", "Oslo", 1}, // nothing is written
			{`{"note": "knock"}`, "knock", "Oslo", 2},
			{`{"note": null}`, "", "Oslo", 2},
			{`{"note": ""}`, "", "Oslo", 2},
			{`{"ship": {"street": "Quay", "city": "Bergen"}}`, "ring", "Bergen", 2},
			{`{"note": null, "ship": null}`, "", "", 2},
		} {
			before := order("partial")
			before.Note, before.Ship = "ring", Address{"Main Street", "Oslo"}
			if err := errors.Join(Orders.Delete("partial").Run(t.Context(), db), Orders.Create(before).Run(t.Context(), db)); err != nil {
				t.Fatal(err)
			}
			var change OrderChange
			if err := json.Unmarshal([]byte(c.body), &change); err != nil {
				t.Fatal(err)
			}
			after, err := Orders.Change.Patch("partial", change).New(t.Context(), db)
			if err != nil || after.Note != c.note || after.Ship.City != c.city || after.Version != c.version {
				t.Errorf("%s: %q, %q, version %d, %v", c.body, after.Note, after.Ship.City, after.Version, err)
			}
			if after.Customer != before.Customer || after.Status != before.Status {
				t.Errorf("%s changed something else: %+v", c.body, after)
			}
			raw, err := Shop.Raw().Get(item("PK", "o#partial", "SK", "o")).Run(t.Context(), db)
			if err != nil || raw.Has("note") != (c.note != "" || c.body == `{"note": ""}`) || raw.Has("ship") != (c.city != "") {
				t.Errorf("%s: stored as %v, %v", c.body, raw, err)
			}
		}
		// Nothing is there: the empty change says so too.
		for _, body := range []string{`{}`, `{"note": "x"}`} {
			var change OrderChange
			if err := json.Unmarshal([]byte(body), &change); err != nil {
				t.Fatal(err)
			}
			err := Orders.Change.Patch("nobody", change).Run(t.Context(), db)
			isError(t, err, tablewright.ErrNotFound)
		}
		// A condition that fails changes nothing, and the item is shown.
		err := Orders.Change.Patch("partial", OrderChange{}).If(Orders.Version.Equals(9)).Run(t.Context(), db)
		isError(t, err, tablewright.ErrConditionFailed)
		if stored, ok := Orders.Refused(err); !ok || stored.Version != 2 {
			t.Errorf("%+v %v", stored, ok)
		}
	})
}
