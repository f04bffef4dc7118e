package design_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestCopiesUnknown takes from requirements what lets a create read the value by which its items are listed: the error, or the
// decision for pages that the client makes instead, names the write, and what to type.
func TestCopiesUnknown(t *testing.T) {
	for _, x := range []struct{ file, old, is, says string }{
		{
			"read-first", "{create: Parcel, requires: [round]}", "{create: Parcel}",
			"an index would need round.depotId in every Parcel, and addParcel does not require the round to be there (write `requires: [round]` in addParcel)",
		},
		{
			"read-first", "{create: Round, requires: [depot]}", "{create: Round}",
			"an index would need round.depot.region in every Parcel, and addRound does not require the depot to be there (write `requires: [depot]` in addRound)",
		},
		{
			"read-first-moves", "{update: Desk, set: [roomId], requires: [room]}", "{update: Desk, set: [roomId]}",
			"an index would need room.floor in every Desk, and moveDesk does not require the room to be there (write `requires: [room]` in moveDesk)",
		},
		{
			"read-first-kept", "max: 40}", "max: 400}",
			"an index would need room.floor in every Desk, and moveRoom would have to write up to 400 of them anew in one transaction, and DynamoDB takes 100 actions",
		},
	} {
		b, err := os.ReadFile("testdata/strategies/" + x.file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(b), x.old, x.is, 1)
		if text == string(b) {
			t.Fatalf("%s does not say %s", x.file, x.old)
		}
		said := ""
		found, err := design.Design(t.Context(), parse(t, text), design.Options{})
		if err != nil {
			said = err.Error()
		} else {
			for _, d := range found.Model.Decisions {
				said += d.About + ": " + d.Because + "\n"
			}
		}
		if !strings.Contains(said, x.says) {
			t.Errorf("%s with %s:\n%v\nwant\n%s", x.file, x.is, said, x.says)
		}
	}
}
