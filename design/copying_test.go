package design_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestCopiesUnknown takes from requirements what lets a create read the value by which its items are listed: the error names
// the list, the write, and what to type.
func TestCopiesUnknown(t *testing.T) {
	for _, x := range []struct{ file, old, is, says string }{
		{
			"read-first", "{create: Parcel, requires: [round]}", "{create: Parcel}",
			"no plan serves parcelsOfDepot: an index would need round.depotId in every Parcel, and addParcel does not require the round to be there (write `requires: [round]` in addParcel)",
		},
		{
			"read-first", "{create: Round, requires: [depot]}", "{create: Round}",
			"no plan serves parcelsOfRegion: an index would need round.depot.region in every Parcel, and addRound does not require the depot to be there (write `requires: [depot]` in addRound)",
		},
		{
			"read-first-moves", "{update: Desk, set: [roomId], requires: [room]}", "{update: Desk, set: [roomId]}",
			"no plan serves desksOfFloor: an index would need room.floor in every Desk, and moveDesk does not require the room to be there (write `requires: [room]` in moveDesk)",
		},
		{
			"read-first-kept", "max: 40}", "max: 400}",
			"no plan serves desksOfFloor: an index would need room.floor in every Desk, and moveRoom would have to write up to 400 of them anew in one transaction, and DynamoDB takes 100 actions",
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
		if _, err = design.Design(t.Context(), parse(t, text), design.Options{}); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s with %s:\n%v\nwant\n%s", x.file, x.is, err, x.says)
		}
	}
}
